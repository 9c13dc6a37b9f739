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
    /// Request line and headers. A larger head is answered 431 and the connection closed.
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

/// How long one peer may take.
public struct Timeouts: Sendable {
    /// A request's head and body, and the TLS handshake, must have arrived within this.
    public var request: Duration = .seconds(10)
    /// A WebSocket that was silent this long is sent a protocol ping.
    public var idlePing: Duration = .seconds(30)
    /// A connection that was silent this long, pong included, is closed: its peer is gone.
    public var idleClose: Duration = .seconds(75)
    /// How long the peer may take to answer a Close frame or to read what is left.
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

    public init(
        host: String, port: UInt16, tls: TLSIdentity? = nil, limits: Limits = Limits(),
        timeouts: Timeouts = Timeouts(), webSocketPath: String, slowConsumerCode: UInt16 = 4008
    ) {
        self.host = host
        self.port = port
        self.tls = tls
        self.limits = limits
        self.timeouts = timeouts
        self.webSocketPath = webSocketPath
        self.slowConsumerCode = slowConsumerCode
    }
}
