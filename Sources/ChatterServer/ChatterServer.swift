import ChatterModel
import Foundation
import SQLite

/// The chat server: builds its parts and wires them; the only place that does.
public final class ChatterServer: Sendable {
    private let services: Services
    private let pipeline: Pipeline
    private let frames: FrameHandler

    /// Opens the storage; throws `SQLiteError` or `MigrationError`.
    public init(
        _ configuration: ServerConfiguration, clock: any ServerClock = SystemClock(),
        random: any RandomBytes = SecureRandom(), codeSender: any CodeSender = LogCodeSender { _ in },
        log: Log = .off
    ) async throws {
        let hub = Hub(clock: clock)
        let storage = try Storage(
            path: configuration.databasePath, clock: clock, random: random, log: log
        ) { hub.deliver($0) }
        let keys = try await ServerKeys.load(storage, random: random)
        if configuration.isChallengeMode { try await DemoWorkspace.ensure(in: storage, random: random) }
        let mint = TokenMint(key: keys.tokens)
        let access = AccessCheck(
            mint: mint, devices: DeviceCache(storage: storage),
            workspaces: WorkspaceDirectory(
                storage: storage, clock: clock, knowsDemo: configuration.isChallengeMode),
            storage: storage, clock: clock, log: log)
        services = Services(
            configuration: configuration, clock: clock, random: random, storage: storage, hub: hub,
            access: access, mint: mint, keys: keys,
            limiter: RateLimiter(clock: clock, isOn: configuration.limitsRates), codeSender: codeSender,
            metrics: Metrics(), log: log)
        let router = Router()
        Resources.register(on: router, services)
        pipeline = Pipeline(routes: RouteTable(router.routes), services)
        frames = FrameHandler(
            actions: Resources.frames(services), limiter: services.limiter, metrics: services.metrics)
        try await Resources.start(services)
    }

    /// Answers one request, as the listener would.
    public func handle(_ request: HTTPRequest) async -> HTTPResponse {
        await pipeline.handle(request)
    }

    /// Opens a live connection in this process. `request` carries the same headers as an upgrade; throws
    /// `APIError` where an upgrade would be refused.
    public func connect(_ request: HTTPRequest, sink: any ConnectionSink) throws -> LiveConnection {
        services.hub.open(try services.access.session(of: request), sink: sink)
    }

    /// A frame from a live connection's client.
    public func receive(_ frame: [UInt8], isText: Bool = true, on connection: LiveConnection) {
        frames.received(frame, isText: isText, on: connection)
    }

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

    /// The live connection's socket is gone.
    public func disconnected(_ connection: LiveConnection) {
        services.hub.closed(connection)
    }

    /// Commits what was begun and closes the storage.
    public func stop() async {
        services.hub.closeAll(code: .restarting)
        await services.storage.close()
    }
}
