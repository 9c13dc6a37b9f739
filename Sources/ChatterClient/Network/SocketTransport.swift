import Foundation

/// Opens WebSockets; the seam between the client and the network.
///
/// Linux: the WebSockets wrapper. Apple: `URLSessionWebSocketTask` with `maximumMessageSize` set.
public protocol SocketTransport: Sendable {
    /// Returns once the handshake is done.
    func connect(_ request: SocketRequest) async throws(SocketError) -> any SocketConnection
}

public struct SocketRequest: Sendable {
    /// `ws` or `wss`.
    public var url: URL
    public var headers: [String: String]
    /// For the handshake.
    public var timeout: Duration
    /// A larger message from the server ends the connection with `messageTooLarge`.
    public var messageLimit: Int

    public init(
        url: URL, headers: [String: String] = [:], timeout: Duration = .seconds(15), messageLimit: Int
    ) {
        self.url = url
        self.headers = headers
        self.timeout = timeout
        self.messageLimit = messageLimit
    }
}

public protocol SocketConnection: Sendable {
    /// What comes in, in order; ends after `closed`. For one consumer.
    var events: AsyncStream<SocketEvent> { get }
    /// Hands one text message to the connection, in the order of the calls; that it left says nothing about its arrival.
    func send(_ text: [UInt8]) async throws(SocketError)
    /// Closes; `events` ends after the remaining ones. Harmless when closed already.
    func close(code: UInt16)
}

public enum SocketEvent: Hashable, Sendable {
    /// One whole text message, UTF-8.
    case text([UInt8])
    case closed(SocketClosure)
}

/// How a connection ended.
public enum SocketClosure: Hashable, Sendable {
    /// A close frame came; the code is `CloseCode`'s or RFC 6455's.
    case byServer(code: UInt16)
    case byClient
    /// A message was too large for the end that received it.
    case messageTooLarge
    /// The network took it; English, for logs.
    case lost(String)
}

/// Why a socket could not be opened or written.
public enum SocketError: Error, Hashable, Sendable {
    /// The handshake was answered with another status than 101.
    case refused(status: Int, retryAfter: String?)
    case timedOut
    case tls(String)
    case noConnection(String)
    /// The connection is closed.
    case closed
    case cancelled
}
