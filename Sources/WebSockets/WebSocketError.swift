/// Everything that can go wrong at this library's boundary; `description` is one line for a person.
public enum WebSocketError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Another process listens on this address and port.
    case addressInUse(String)
    /// The host to listen on does not exist here.
    case badHost(String)
    /// The address or port needs rights that this process does not have.
    case permissionDenied(String)
    /// The certificate or private key to serve with cannot be used.
    case badIdentity(String)
    /// The URL is not one a WebSocket client can open.
    case badURL(String)
    /// No address of the host accepted a connection, or the connection ended before it was open.
    case unreachable(String)
    /// The connection was not open within its time.
    case timedOut(String)
    /// The TLS handshake failed; the text says why, e.g. “certificate has expired”.
    case tls(String)
    /// The server answered the handshake with something other than 101. `headers` are those that libwebsockets knows,
    /// with lower-case names; `body` is empty, because libwebsockets does not read it.
    case refused(status: Int, headers: [String: String], body: [UInt8])
    /// The peer answered, but not in the protocol.
    case badHandshake(String)
    /// The task that was connecting was cancelled.
    case cancelled
    /// The connection is closed, or is closing; `code` is 1006 when no Close frame was seen.
    case closed(code: UInt16, reason: String)
    /// The send queue has no room for this message. Nothing of it was sent.
    case queueFull
    /// The operating system refused something that should work, e.g. creating a thread or a socket.
    case system(String)

    public var description: String {
        switch self {
        case .addressInUse(let address): "\(address) is already in use"
        case .badHost(let host): "cannot listen on \(host): no such address on this machine"
        case .permissionDenied(let address): "not allowed to listen on \(address)"
        case .badIdentity(let why): "cannot serve TLS: \(why)"
        case .badURL(let url): "not a WebSocket address: \(url)"
        case .unreachable(let why): "cannot connect: \(why)"
        case .timedOut(let host): "cannot connect: \(host) did not answer in time"
        case .tls(let why): "no secure connection: \(why)"
        case .refused(let status, _, _): "the server refused the connection with status \(status)"
        case .badHandshake(let why): "the server does not speak WebSocket: \(why)"
        case .cancelled: "connecting was cancelled"
        case .closed(let code, let reason):
            reason.isEmpty
                ? "the connection is closed (\(code))" : "the connection is closed (\(code) \(reason))"
        case .queueFull: "the connection is too slow: its send queue is full"
        case .system(let why): why
        }
    }
}
