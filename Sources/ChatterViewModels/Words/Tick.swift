import ChatterClient

/// The mark beside one's own message.
nonisolated public enum Tick: Hashable, Sendable {
    /// The clock.
    case sending
    case sent
    case delivered
    /// In colour.
    case read
    case failed

    init(_ status: DeliveryStatus) {
        self =
            switch status {
            case .pending: .sending
            case .sent: .sent
            case .delivered: .delivered
            case .read: .read
            case .failed: .failed
            }
    }

    /// As a screen reader says it.
    public var spoken: String {
        switch self {
        case .sending: "sending"
        case .sent: "sent"
        case .delivered: "delivered"
        case .read: "read"
        case .failed: "not sent"
        }
    }
}
