/// A server's certificate chain and private key, both PEM files.
public struct TLSIdentity: Sendable {
    public let certificatePath: String
    public let privateKeyPath: String

    public init(certificatePath: String, privateKeyPath: String) {
        self.certificatePath = certificatePath
        self.privateKeyPath = privateKeyPath
    }
}

/// What one peer may take: sizes in bytes, each inclusive.
public struct Limits: Sendable {
    /// Path, query, and the values of those headers that reach the handler; at most 16,000. More are answered 431 and
    /// the connection closed. A head of four times as much closes it without an answer.
    public var headerBytes = 8 * 1024
    /// An HTTP body. A larger one is answered 413 and the connection closed.
    public var bodyBytes = 256 * 1024
    /// One message after its fragments are put together. A larger one closes the connection with 1009.
    public var frameBytes = 128 * 1024
    /// Frames waiting in one connection's send queue. Beyond it the connection is closed.
    public var queueBytes = 1024 * 1024
    /// Connections at once, HTTP and WebSocket together. Further ones are answered 503 with `Retry-After`.
    public var connections = 10_000

    public init() {}
}

/// How long one peer may take. Between requests and for pings, times are rounded up to seconds.
public struct Timeouts: Sendable {
    /// TLS handshake and first head, each later head, and each body must have arrived within this. The first head
    /// and a body are answered 408, if something of them has come; otherwise the connection is closed.
    public var request: Duration = .seconds(10)
    /// A WebSocket is sent a protocol ping this long after its last pong.
    public var idlePing: Duration = .seconds(30)
    /// A WebSocket that has sent no pong for this long, and an HTTP connection that was silent for it, is closed:
    /// its peer is gone.
    public var idleClose: Duration = .seconds(75)
    /// How long the peer may take to answer a Close frame or to read what is left; at most five seconds.
    public var close: Duration = .seconds(2)

    public init() {}
}

/// Where and how a `Listener` serves.
public struct ListenerConfiguration: Sendable {
    /// A name or a numeric address. A name is bound at each of its addresses; `::` serves IPv4 as well.
    public var host: String
    /// 0 picks a free port; `Listener.port` tells which.
    public var port: UInt16
    public var tls: TLSIdentity?
    public var limits: Limits
    public var timeouts: Timeouts
    /// The one path whose upgrade requests reach `ListenerHandler.upgrade(_:)`.
    public var webSocketPath: String
    /// The close code for a connection whose send queue is full.
    public var slowConsumerCode: UInt16
    /// Lower-case names of headers that requests should carry although libwebsockets does not know them.
    public var customHeaders: [String]

    public init(
        host: String, port: UInt16, tls: TLSIdentity? = nil, limits: Limits = Limits(),
        timeouts: Timeouts = Timeouts(), webSocketPath: String, slowConsumerCode: UInt16 = 4008,
        customHeaders: [String] = []
    ) {
        self.host = host
        self.port = port
        self.tls = tls
        self.limits = limits
        self.timeouts = timeouts
        self.webSocketPath = webSocketPath
        self.slowConsumerCode = slowConsumerCode
        self.customHeaders = customHeaders
    }
}
