import ChatterClient

/// The mark beside one's own message.
enum Ticks {
    /// Where there are colours blue tells ✓✓ read from ✓✓ delivered; elsewhere its shape has to.
    static func mark(_ status: DeliveryStatus, hasColours: Bool = false) -> String {
        switch status {
        case .pending: "🕓"
        case .sent: "✓"
        case .delivered: "✓✓"
        case .read: hasColours ? "✓✓" : "☑"
        case .failed: "⚠"
        }
    }

    /// Also the `status` of `--json`.
    static func word(_ status: DeliveryStatus) -> String {
        switch status {
        case .pending: "pending"
        case .sent: "sent"
        case .delivered: "delivered"
        case .read: "read"
        case .failed: "failed"
        }
    }
}
