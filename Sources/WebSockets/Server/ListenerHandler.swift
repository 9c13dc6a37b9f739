/// What a `Listener` asks and tells, always on its loop's thread: each call must return quickly.
public protocol ListenerHandler: Sendable {
    /// `reply` may be called at once or later, from any thread, once. A request whose `reply` is dropped uncalled
    /// is answered 500.
    func respond(to request: HTTPRequest, _ reply: @escaping @Sendable (HTTPResponse) -> Void)

    /// Whether a well-formed WebSocket handshake on the configured path may go on.
    func upgrade(_ request: HTTPRequest) -> UpgradeVerdict

    /// A WebSocket is open; messages follow.
    func opened(_ connection: WebSocketConnection, request: HTTPRequest)

    /// One whole message, in the order of arrival. Text is valid UTF-8.
    func received(_ message: [UInt8], isText: Bool, on connection: WebSocketConnection)

    /// Exactly once for each `opened`. `code` is of the first Close frame sent or received, or 1006 when the
    /// connection ended without one.
    func closed(_ connection: WebSocketConnection, code: UInt16, reason: String)

    /// The answer to what the listener itself refuses: 400, 404 (a WebSocket elsewhere than on its path), 408, 411, 413,
    /// 426, 431, 500, 503 and 505. The listener adds the headers that belong to the status. What is no HTTP, such as
    /// an unknown method, libwebsockets refuses by itself with 403 or by hanging up.
    func refusal(status: Int, why: String) -> HTTPResponse
}

extension ListenerHandler {
    public func refusal(status: Int, why: String) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: [("Content-Type", "text/plain; charset=utf-8")],
            body: Array((why + "\n").utf8))
    }
}

/// The answer to a WebSocket handshake.
public enum UpgradeVerdict: Sendable {
    case accept
    /// Sent instead of 101.
    case reject(HTTPResponse)
}
