import Foundation
import Synchronization

/// Where and how a `WebSocketClient` connects.
public struct WebSocketClientConfiguration: Sendable {
    /// `ws`, `wss`, `http` or `https`.
    public var url: URL
    /// Sent with the handshake, in order.
    public var headers: [(String, String)]
    /// Used: `frameBytes`, and `queueBytes` each way: that much may wait to be sent, and that much received may wait in
    /// `messages` before the server is held back.
    public var limits: Limits
    /// From the name lookup to the open WebSocket.
    public var connectTimeout: Duration
    /// How long the server may take to answer a Close frame; at most five seconds.
    public var closeTimeout: Duration
    /// A PEM file with certificate authorities to trust besides this machine's.
    public var trustedCertificatePath: String?

    public init(
        url: URL, headers: [(String, String)] = [], limits: Limits = Limits(),
        connectTimeout: Duration = .seconds(10), closeTimeout: Duration = .seconds(2),
        trustedCertificatePath: String? = nil
    ) {
        self.url = url
        self.headers = headers
        self.limits = limits
        self.connectTimeout = connectTimeout
        self.closeTimeout = closeTimeout
        self.trustedCertificatePath = trustedCertificatePath
    }
}

/// One WebSocket to a server: one attempt to connect, and no second by itself.
///
/// All clients of a process share one thread, which a slow name service holds up. Pings are answered and, by design,
/// none are sent. The server's certificate must be for the URL's host, a name or an IPv4 address.
public final class WebSocketClient: Sendable {
    /// Whole messages in order. Ends after the close, whose code is then in `closeCode`, and never throws; may be
    /// iterated once.
    public let messages: AsyncThrowingStream<[UInt8], any Error>

    private let connection: WebSocketConnection
    private let ending: ClientEnding

    private init(_ connection: WebSocketConnection, _ session: ClientSession) {
        self.connection = connection
        messages = session.messages
        ending = session.ending
    }

    deinit { connection.close(code: 1001, reason: "") }

    /// Connects; throws `.refused` with the server's answer when that is not 101. Cancelling the task ends the
    /// attempt with `.cancelled`.
    public static func connect(
        _ configuration: WebSocketClientConfiguration
    ) async throws(WebSocketError) -> WebSocketClient {
        let url = try WebSocketURL(configuration.url)
        for (name, value) in configuration.headers
        where !name.utf8.allSatisfy(isTokenByte) || value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            throw .badHandshake("a header to send is malformed: \(name)")
        }
        let authorities = url.isSecure ? configuration.trustedCertificatePath : nil
        if let authorities, !FileManager.default.isReadableFile(atPath: authorities) {
            throw .tls("cannot read the certificate in \(authorities)")
        }
        let clients = try ClientLoop.shared.get()
        let session = ClientSession(url, configuration, loop: clients.loop)
        let result = await withTaskCancellationHandler {
            await session.open { clients.vhost(for: url, trusting: authorities) }
        } onCancel: {
            session.cancel()
        }
        return WebSocketClient(try result.get(), session)
    }

    /// Why the connection is closed; nil while it is open. 1006 when it ended without a Close frame.
    public var closeCode: (code: UInt16, reason: String)? {
        ending.reason.map { ($0.code, $0.reason) }
    }

    /// Queues one text message; messages go out in the order of the calls. Throws `.closed`, or `.queueFull`,
    /// after which the connection closes.
    public func send(_ text: [UInt8]) throws(WebSocketError) {
        switch connection.enqueue(SharedBytes(text)) {
        case .queued: return
        case .overflowed: throw .queueFull
        case .closed:
            let reason = ending.reason ?? CloseReason(code: 1000, reason: "closing")
            throw .closed(code: reason.code, reason: reason.reason)
        }
    }

    /// Sends what is queued and a Close frame; returns when the connection has ended.
    public func close(code: UInt16, reason: String) async {
        connection.close(code: code, reason: reason)
        await ending.wait()
    }
}
