/// One HTTP request with its whole body.
public struct HTTPRequest: Sendable {
    /// As sent: methods are case-sensitive.
    public let method: String
    /// Percent-encoded as sent, without the query; begins with `/`, or is `*`.
    public let path: String
    /// Raw, without the `?`; empty when there is none.
    public let query: String
    /// Lower-case names; repeated headers are joined with `, `.
    public let headers: [String: String]
    public let body: [UInt8]
    /// The peer's numeric address, without the port.
    public let remoteAddress: String

    public init(
        method: String, path: String, query: String, headers: [String: String], body: [UInt8],
        remoteAddress: String
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.remoteAddress = remoteAddress
    }
}

/// An answer. `Content-Length`, `Connection` and `Date` are the listener's to write; `Connection: close` among
/// `headers` is understood and closes the connection after this answer.
public struct HTTPResponse: Sendable {
    public var status: Int
    /// Control characters in a value, line ends above all, are sent as spaces.
    public var headers: [(String, String)]
    public var body: [UInt8]

    public init(status: Int, headers: [(String, String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
