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

    /// For lines without colours.
    static func words(_ status: DeliveryStatus) -> String {
        status == .read ? "✓✓ read" : mark(status)
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
