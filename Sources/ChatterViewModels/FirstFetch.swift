import ChatterClient

extension ConnectionState {
    /// Whether an account that is new here may still come to have what its lists don't show: until the connection has
    /// brought everything, or there is none.
    nonisolated var isBeforeFirstFetch: Bool {
        switch self {
        case .connecting, .syncing, .offline(.signedOut, _), .offline(.stopped, _): true
        case .online, .offline(.noNetwork, _), .offline(.failed, _): false
        }
    }
}
