import ChatterModel
import SQLite

/// Keeps the local database and the server in step: hands live events to the store in their order, fetches what was
/// missed, reports what was delivered and read, and runs the outbox. What to do is decided by the machines.
actor SyncEngine {
    /// What the client around it does about things that the sync cannot.
    struct Events: Sendable {
        /// The session has ended: the refresh was refused.
        var signedOut: @Sendable () async -> Void
        /// The local database refused a read or a write.
        var storageFailed: @Sendable (any Error) async -> Void
        /// The server told its time.
        var serverTime: @Sendable (Timestamp) -> Void
    }

    /// What only a live connection knows.
    struct LiveState: Hashable, Sendable {
        var typing: [ID<Conversation>: Set<ID<User>>] = [:]
        var presences: [ID<User>: Presence] = [:]
    }

    nonisolated let live = Broadcast(LiveState())
    /// Another number whenever something ended that `isSettled` waits for.
    nonisolated let pauses = Broadcast(0)
    nonisolated var connectionState: Broadcast<ConnectionState> { connection.state }
    nonisolated let outbox: Outbox
    nonisolated let connection: Connection

    let store: Store
    let calls: any ServerCalls
    let clock: any ChatterClock
    let random: RandomSource
    let pageSize: Int
    let events: Events

    var generation = 0
    /// The session's; frames leave over it alone.
    var link: (any LiveLink)?
    /// A message was too large for a connection, and what it held is not here yet: pages are to bring it.
    var mustPage = false
    /// The server has refused numbers of its own epoch.
    var mustStartOver = false
    var inbox: [ServerFrame] = []
    var isProcessing = false
    var frameCount = 0
    var plan = CatchUpPlan()
    var jobs: [CatchUpPlan.Job: Task<Void, Never>] = [:]
    var receipts = ReceiptScheduler()
    var typing = TypingTracker()
    var presence = PresenceTracker()
    var typingTask: Task<Void, Never>?
    var receiptTask: Task<Void, Never>?
    var listener: Task<Void, Never>?
    var isStopped = false

    /// - Parameter pageSize: messages asked for at once by REST.
    init(
        store: Store, calls: any ServerCalls, connector: any LiveConnector, clock: any ChatterClock,
        random: RandomSource, pageSize: Int = Limits.largestPage, events: Events
    ) {
        self.store = store
        self.calls = calls
        self.clock = clock
        self.random = random
        self.pageSize = pageSize
        self.events = events
        let parts = Parts()
        outbox = Outbox(
            store: store, calls: calls, clock: clock, random: random,
            events: Outbox.Events(
                merged: { await parts.engine?.merged($0) },
                linkFailed: { await parts.engine?.linkFailed($0) },
                tokenRefused: { await parts.engine?.tokenRefused() },
                drained: { await parts.engine?.paused() },
                storageFailed: { await parts.engine?.storageFailed($0) }))
        connection = Connection(connector: connector, clock: clock, random: random)
        parts.engine = self
        store.epoch.whenRefused { Task { await parts.engine?.startOver() } }
    }

    /// Lets the parts call back the engine that owns them.
    private final class Parts: @unchecked Sendable {  // set once in `init`, before anything can call
        weak var engine: SyncEngine?
    }

    func storageFailed(_ error: any Error) async {
        // A task that was cancelled by a lost connection or by `stop`: nothing is wrong with the database.
        if error is CancellationError { return }
        await events.storageFailed(error)
    }

    /// Nothing may be claimed that is not stored: the connection is given up, and all of it comes again.
    func giveUp(_ generation: Int, _ error: any Error) async {
        await storageFailed(error)
        await connection.handle(
            .socketClosed(generation: generation, code: nil, reason: "the local database failed"))
    }

    /// What it could not take would get lost on it for ever: better another one.
    func linkFailed(_ generation: Int) async {
        await connection.handle(
            .socketClosed(generation: generation, code: nil, reason: "a frame could not be sent"))
    }

    func tokenRefused() async {
        await connection.handle(
            .socketClosed(
                generation: generation, code: CloseCode.tokenExpired.rawValue, reason: "the token was refused"
            ))
    }
}

// MARK: - Wishes

extension SyncEngine {
    func start() async {
        guard !isStopped else { return }
        listener =
            listener
            ?? Task {
                for await event in connection.events { await take(event) }
            }
        await connection.handle(.start)
    }

    /// Ends the connection and everything under way, for good. Not to be awaited by a handler of `Events`.
    func stop() async {
        isStopped = true
        await connection.finish()
        await listener?.value
        await outbox.stop()
        let running = Array(jobs.values)
        for job in running { job.cancel() }
        for job in running { await job.value }
        typingTask?.cancel()
        receiptTask?.cancel()
        live.finish()
        pauses.finish()
        connectionState.finish()
    }

    func foreground() async { await connection.handle(.foreground) }
    func background() async { await connection.handle(.background) }

    func networkChanged(_ isAvailable: Bool) async {
        await connection.handle(.networkChanged(isAvailable: isAvailable))
    }

    /// While not active nothing is marked read by itself.
    func setActive(_ isActive: Bool) async {
        receipts.setActive(isActive)
        await readVisible(receipts.read)
    }

    func setOnScreen(_ id: ID<Conversation>, _ isOnScreen: Bool) async {
        receipts.setOnScreen(id, isOnScreen)
        guard isOnScreen else { return }
        plan.want(.messages(id))
        runJobs()
        await readVisible(receipts.read.intersection([id]))
    }

    func setTyping(_ id: ID<Conversation>, _ isTyping: Bool) async {
        let signal = typing.setTyping(id, isTyping, at: clock.monotonic)
        await tell(signal.map { [$0] } ?? [])
        scheduleTyping()
    }

    /// Returns once everything that could be sent was, and everything missed is here; false when it is stopped before.
    func untilSettled() async throws -> Bool {
        for await _ in pauses.stream() where try await isSettled() { return true }
        return false
    }

    /// Everything that could be sent was, and everything missed is here.
    func isSettled() async throws -> Bool {
        guard plan.isComplete, !isProcessing, inbox.isEmpty, await outbox.isIdle else { return false }
        return try await store.read { try $0.queued().isEmpty }
    }
}
