import ChatterModel

/// The signed-in account: its database and everything that works on it.
final class Account: Sendable {
    let userID: ID<User>
    let store: Store
    let api: APIClient
    private let tokens: TokenRefresher
    let engine: SyncEngine
    /// How many of a conversation's newest messages are shown, besides `kept`.
    let windows = Broadcast<[ID<Conversation>: Int]>([:])
    /// From where on everything is shown.
    let kept = Broadcast<[ID<Conversation>: Int64]>([:])
    let clock: any ChatterClock
    let serverTime: ServerTime
    let random: RandomSource
    let health: StorageHealth

    /// Called back from inside the account's own work: the handlers must not wait for its end.
    struct Events: Sendable {
        var signedOut: @Sendable () -> Void
        var storageFailed: @Sendable (ClientError) -> Void
    }

    /// Opens the database, which is claimed for this account and given `me` when the sign-in brought it.
    init(
        session: StoredSession, me: Me?, profile: ProfileDirectory, network: ClientNetwork,
        secrets: any SecretStore, health: StorageHealth, events: Events
    ) async throws(ClientError) {
        self.health = health
        userID = session.userID
        (clock, serverTime, random) = (network.clock, network.serverTime, network.random)
        store = try await Self.open(
            StoreFile(path: try profile.database(of: userID)), session.userID, me, health, events)
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

    private static func open(
        _ file: StoreFile, _ user: ID<User>, _ me: Me?, _ health: StorageHealth, _ events: Events
    ) async throws(ClientError) -> Store {
        try await ClientError.wrapping {
            let (store, notice) = try await file.open(account: user) { error in
                health.damaged()
                if let error { events.storageFailed(ClientError(error)) }
            }
            health.opened(notice)
            guard let me else { return store }
            do {
                try await store.store(me)
            } catch {
                await store.close()
                throw error
            }
            return store
        }
    }

    /// A screen's read: tried again, at a growing distance, while the database fails. One bad moment must not end a
    /// screen.
    func read<T: Sendable>(
        _ body: @escaping @Sendable (ReadContext) throws -> T
    ) async throws(ClientError) -> T {
        var failures = 0
        while true {
            do throws(ClientError) {
                let value = try await ClientError.wrapping { try await store.read(body) }
                if failures > 0 { health.recovered() }
                return value
            } catch {
                guard case .storage = error.kind else { throw error }
                failures += 1
                health.failed(error, inARow: failures)
            }
            let pause = Backoff.delay(failures: failures, random: random.unit())
            try await ClientError.wrapping { try await clock.sleep(for: pause) }
        }
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
