/// How the connection stands, in English words.
public enum ConnectionLabel {
    public static func text(_ state: ConnectionState) -> String {
        switch state {
        case .online: "online"
        case .syncing: "connected, fetching what was missed"
        case .connecting: "connecting"
        case .offline(.stopped, _): "not started"
        case .offline(.signedOut, _): "signed out"
        case .offline(.noNetwork, _): "no network"
        case .offline(.failed, _): "the server can't be reached"
        }
    }
}
