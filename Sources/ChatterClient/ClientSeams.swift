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
