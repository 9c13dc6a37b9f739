import ChatterModel
import Foundation
import SQLite
import Synchronization
import WebSockets

/// The chat server: builds its parts and wires them; the only place that does.
public final class ChatterServer: Sendable {
    /// Of the workspace that challenge mode brings along.
    public static let demoClientKey = WorkspaceQueries.demoKey

    let services: Services
    private let live: LiveServer
    private let listener = Mutex<Listener?>(nil)
    private let sweep = Mutex<ScheduledWork?>(nil)

    /// Opens the storage; throws `SQLiteError`, `MigrationError` or `APIError`.
    public init(
        _ configuration: ServerConfiguration, clock: any ServerClock = SystemClock(),
        random: any RandomBytes = SecureRandom(), codeSender: any CodeSender = LogCodeSender { _, _, _ in },
        log: Log = .off
    ) async throws {
        let metrics = Metrics()
        let hub = Hub(clock: clock, metrics: metrics)
        let storage = try Storage(
            path: configuration.databasePath, clock: clock, random: random,
            options: StorageOptions(isInline: configuration.runsInline), log: log
        ) { hub.deliver($0) }
        let epoch = try await Epochs.load(storage, random: random, log: log)
        hub.begin(epoch)
        let keys = try await ServerKeys.load(storage, random: random)
        if configuration.isChallengeMode { try await DemoWorkspace.ensure(in: storage, random: random) }
        let mint = TokenMint(key: keys.tokens)
        let access = AccessCheck(
            mint: mint, devices: DeviceCache(storage: storage),
            workspaces: WorkspaceDirectory(
                storage: storage, clock: clock, knowsDemo: configuration.isChallengeMode),
            storage: storage, epoch: epoch, clock: clock, log: log)
        services = Services(
            configuration: configuration, clock: clock, random: random, storage: storage, hub: hub,
            access: access, mint: mint, keys: keys,
            limiter: RateLimiter(clock: clock, isOn: configuration.limitsRates), codeSender: codeSender,
            metrics: metrics, log: log,
            chat: Chat(
                storage: storage, hub: hub, clock: clock, log: log, hasEchoBot: configuration.hasEchoBot))
        let router = Router()
        Resources.register(on: router, services)
        live = LiveServer(
            pipeline: Pipeline(routes: RouteTable(router.routes), services),
            frames: FrameHandler(
                actions: Resources.frames(services), limiter: services.limiter, metrics: services.metrics),
            sessions: LiveSessions(
                hub: hub, access: access, limiter: services.limiter, storage: storage, log: log),
            metrics: metrics)
        try await Resources.start(services)
        sweepLater()
    }

    // MARK: - On a socket

    /// Listens where the configuration says; the port is the answer. Throws `WebSocketError`.
    public func start() throws -> UInt16 {
        let listener = try Listener(listenerConfiguration, handler: live)
        listener.start()
        self.listener.withLock { $0 = listener }
        return listener.port
    }

    /// Lets what was begun finish, tells every client to come back later, and closes the storage.
    ///
    /// - Parameter limit: after which connections that do not end by themselves are dropped.
    public func stop(within limit: Duration = .seconds(3)) async {
        services.hub.drain()
        sweep.withLock { $0 }?.cancel()
        // Acks of what is committed now still reach their senders.
        await services.storage.flush()
        services.hub.closeAll(code: .restarting)
        if let listener = listener.withLock({ $0 }) {
            await listener.stop(within: limit, code: CloseCode.restarting.rawValue, reason: "")
        }
        await Resources.stop(services)
        await services.storage.close()
    }

    private var listenerConfiguration: ListenerConfiguration {
        let configuration = services.configuration
        var limits = WebSockets.Limits()
        limits.bodyBytes = ChatterModel.Limits.requestBytes
        limits.frameBytes = ChatterModel.Limits.frameBytes
        limits.queueBytes = LiveLimits.queueBytes
        limits.connections = LiveLimits.connections
        var tls: TLSIdentity?
        if let certificate = configuration.certificatePath, let key = configuration.privateKeyPath {
            tls = TLSIdentity(certificatePath: certificate, privateKeyPath: key)
        }
        return ListenerConfiguration(
            host: configuration.host, port: configuration.port, tls: tls, limits: limits,
            webSocketPath: Pipeline.liveStreamPath, slowConsumerCode: CloseCode.slowConsumer.rawValue,
            customHeaders: CallHeaders.custom)
    }

    /// Sockets whose token has ended are closed within five seconds.
    private func sweepLater() {
        let next = services.clock.schedule(after: .seconds(5)) { [weak self] in
            self?.services.hub.closeExpired()
            self?.sweepLater()
        }
        sweep.withLock { $0 = next }
    }

    // MARK: - In process

    /// Answers one request, as the listener would.
    public func handle(_ request: HTTPRequest) async -> HTTPResponse {
        await live.pipeline.handle(request)
    }

    /// Opens a live connection in this process. `request` carries the same headers as an upgrade; throws
    /// `APIError` where an upgrade would be refused.
    public func connect(_ request: HTTPRequest, sink: any ConnectionSink) throws -> LiveConnection {
        let request = live.pipeline.addressed(request)
        try live.sessions.admit(request)
        return try live.sessions.open(CallHeaders(request.headers), sink: sink)
    }

    /// A frame from a live connection's client.
    public func receive(_ frame: [UInt8], isText: Bool = true, on connection: LiveConnection) {
        live.frames.received(frame, isText: isText, on: connection)
    }

    /// The live connection's socket is gone.
    public func disconnected(_ connection: LiveConnection) {
        live.sessions.closed(connection)
    }

    // MARK: - Operations

    /// A new workspace, for tests and tools that have no file to open beside the server.
    public func createWorkspace(named name: String) async throws -> WorkspaceKeys {
        let random = services.random
        return try await services.storage.write { transaction in
            let id: ID<Workspace> = transaction.newID()
            let keys = WorkspaceKeys(id: id.rawValue, name: name, random: random)
            try WorkspaceQueries.insert(keys, createdAt: transaction.now, in: transaction.database)
            return keys
        }
    }

    /// Copies the database to `path` while the server goes on. A server that starts from the copy begins a new epoch.
    public func backup(to path: String) async throws {
        try await services.storage.backup(to: path)
    }

    /// Waits until everything written so far is committed and its events are handed over.
    public func settle() async {
        await services.storage.flush()
    }
}
