import ChatterClient

/// How a connection stands, in words.
nonisolated enum ConnectionWords {
    /// Above the chats; nil when there is nothing to say.
    static func banner(_ state: ConnectionState) -> String? {
        switch state {
        case .online, .offline(.stopped, _), .offline(.signedOut, _): nil
        case .syncing: "Fetching what you missed…"
        case .connecting: "Connecting…"
        case .offline(.noNetwork, _): "No network. What you write is sent later."
        case .offline(.failed, _): "Offline. What you write is sent later."
        }
    }
}
