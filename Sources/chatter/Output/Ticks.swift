import ChatterClient

/// The mark beside one's own message.
enum Ticks {
    static func mark(_ status: DeliveryStatus) -> String {
        switch status {
        case .pending: "🕓"
        case .sent: "✓"
        case .delivered, .read: "✓✓"
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
