import ChatterModel
import Foundation

/// One HTTP exchange; the seam between the client and the network.
public protocol HTTPTransport: Sendable {
    /// Sends the request and returns the whole answer, whatever its status. Redirects are not followed.
    func perform(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse
    /// Ends what is under way; later calls fail.
    func close()
}

public struct HTTPRequest: Sendable {
    public var method: HTTPMethod
    public var url: URL
    public var headers: [String: String]
    public var body: [UInt8]?
    /// For the whole exchange.
    public var timeout: Duration
    /// An answer above this many bytes fails with `answerTooLarge`.
    public var answerLimit: Int

    public init(
        method: HTTPMethod, url: URL, headers: [String: String] = [:], body: [UInt8]? = nil,
        timeout: Duration = .seconds(30), answerLimit: Int = 8 << 20
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.answerLimit = answerLimit
    }
}

public struct HTTPResponse: Sendable {
    public var status: Int
    /// Names in lower case.
    public private(set) var headers: [String: String]
    public var body: [UInt8]

    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = Dictionary(
            headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
        self.body = body
    }

    public subscript(header name: String) -> String? { headers[name.lowercased()] }
}

/// Why no answer came.
public struct TransportError: Error, Hashable, Sendable {
    public enum Kind: Hashable, Sendable, CaseIterable {
        /// Name not found, refused, unreachable, connection lost.
        case noConnection
        case timedOut
        /// Certificate or handshake.
        case tls
        case answerTooLarge
        /// Not HTTP, or a request that cannot be sent.
        case malformed
        case cancelled
    }

    public var kind: Kind
    /// English, for logs; holds no header and no body.
    public var message: String

    public init(_ kind: Kind, _ message: String = "") {
        self.kind = kind
        self.message = message
    }
}
