import ChatterViewModels

extension Image {
    /// The mark beside one's own message; nil shows none.
    func show(_ tick: Tick?) {
        isVisible = tick != nil
        if let tick { show(icon: tick.icon) }
        toggle("read", tick == .read)
        toggle("failed", tick == .failed)
    }
}

extension Tick {
    fileprivate var icon: String {
        switch self {
        case .sending: "tick-sending-symbolic"
        case .sent: "tick-sent-symbolic"
        case .delivered, .read: "tick-delivered-symbolic"
        case .failed: "dialog-error-symbolic"
        }
    }
}
