import ChatterModel

/// The signed-in account: its database and everything that works on it.
final class Account: Sendable {
    let userID: ID<User>
    let store: Store
    let api: APIClient
    private let tokens: TokenRefresher
    let engine: SyncEngine
    let windows = Broadcast<[ID<Conversation>: Int]>([:])
    let clock: any ChatterClock
    let serverTime: ServerTime
    let random: RandomSource

    /// Called back from inside the account's own work: the handlers must not wait for its end.
    struct Events: Sendable {
        var signedOut: @Sendable () -> Void
        var storageFailed: @Sendable (ClientError) -> Void
    }

    /// Opens the database, which is claimed for this account and given `me` when the sign-in brought it.
    init(
        session: StoredSession, me: Me?, profile: ProfileDirectory, network: ClientNetwork,
        secrets: any SecretStore, events: Events
    ) async throws(ClientError) {
        userID = session.userID
        (clock, serverTime, random) = (network.clock, network.serverTime, network.random)
        let path = try profile.database(of: userID)
        store = try await ClientError.wrapping {
            let store = try Store(path: path, account: session.userID)
            try await store.claimAccount()
            if let me { try await store.store(me) }
            return store
        }
        tokens = TokenRefresher(
            session: session, workspace: network.workspace, secrets: secrets, lock: profile.refreshLock,
            clock: network.clock, refused: { events.signedOut() })
        api = APIClient(workspace: network.workspace, tokens: tokens, epoch: store.epoch)
        engine = SyncEngine(
            store: store, calls: api, connector: network.socketClient(tokens), clock: network.clock,
            random: network.random,
            events: SyncEngine.Events(
                signedOut: { events.signedOut() },
                storageFailed: { events.storageFailed(ClientError($0)) },
                serverTime: { [serverTime = network.serverTime] in serverTime.observe($0) }))
    }

    /// Returns when nothing of the account works any more.
    func close() async {
        await tokens.stop()
        await engine.stop()
        await store.close()
        windows.finish()
    }
}

/// What every account of a client shares.
struct ClientNetwork: Sendable {
    let workspace: WorkspaceAPI
    let sockets: any SocketTransport
    let decoder = FrameDecoder()
    let clock: any ChatterClock
    let random: RandomSource

    var serverTime: ServerTime { workspace.serverTime }

    init(_ configuration: ClientConfiguration, seams: ClientSeams) throws(ClientError) {
        workspace = WorkspaceAPI(
            serverURL: configuration.serverURL, clientKey: configuration.clientKey,
            transport: try seams.http(configuration), serverTime: ServerTime(clock: seams.clock))
        sockets = try seams.sockets(configuration)
        (clock, random) = (seams.clock, seams.random)
    }

    func socketClient(_ tokens: TokenRefresher) -> SocketClient {
        SocketClient(
            serverURL: workspace.serverURL, clientKey: workspace.clientKey, transport: sockets,
            tokens: tokens, serverTime: serverTime, decoder: decoder)
    }
}
