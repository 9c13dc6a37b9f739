/// What ties the client to the machine. Tests put their own in.
public struct ClientSeams: Sendable {
    public var http: @Sendable (ClientConfiguration) throws(ClientError) -> any HTTPTransport
    public var sockets: @Sendable (ClientConfiguration) throws(ClientError) -> any SocketTransport
    public var secrets: @Sendable (ClientConfiguration) async throws(ClientError) -> any SecretStore
    public var reachability: any Reachability
    public var clock: any ChatterClock
    public var random: RandomSource

    public init(
        http: @escaping @Sendable (ClientConfiguration) throws(ClientError) -> any HTTPTransport,
        sockets: @escaping @Sendable (ClientConfiguration) throws(ClientError) -> any SocketTransport,
        secrets: @escaping @Sendable (ClientConfiguration) async throws(ClientError) -> any SecretStore,
        reachability: any Reachability, clock: any ChatterClock, random: RandomSource
    ) {
        self.http = http
        self.sockets = sockets
        self.secrets = secrets
        self.reachability = reachability
        self.clock = clock
        self.random = random
    }
}

extension ClientSeams {
    /// The real machine.
    public static var live: ClientSeams {
        #if os(Linux)
            let reachability: any Reachability = NetlinkReachability()
            let sockets: any SocketTransport = WebSocketsTransport()
        #else
            let reachability: any Reachability = PathReachability()
            let sockets: any SocketTransport = URLSessionSocketTransport()
        #endif
        return ClientSeams(
            http: { _ throws(ClientError) in URLSessionTransport() },
            sockets: { _ throws(ClientError) in sockets },
            secrets: { configuration throws(ClientError) in
                try await SecretStoreChoice.open(in: configuration.directory)
            },
            reachability: reachability, clock: SystemClock(), random: .system)
    }
}
