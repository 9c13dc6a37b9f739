/// One HTTP request with its whole body.
public struct HTTPRequest: Sendable {
    /// As sent: methods are case-sensitive.
    public let method: String
    /// Begins with `/`, without the query. As libwebsockets normalises it, which resolves dots, joins slashes and decodes
    /// everything, percent-encoded once again: an encoded slash reads as a slash, and no control character occurs.
    public let path: String
    /// Without the `?`; empty when there is none. Each argument was decoded and is percent-encoded once again, its
    /// spaces as `%20`; `;` separates arguments as `&` does.
    public let query: String
    /// Lower-case names: those libwebsockets knows and `ListenerConfiguration.customHeaders`, unless they are empty.
    /// Repeated headers are joined with commas; of a custom one the first counts.
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
