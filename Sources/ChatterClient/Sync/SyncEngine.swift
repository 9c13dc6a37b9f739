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
    private let events: Events

    var generation = 0
    private var inbox: [ServerFrame] = []
    private var isProcessing = false
    private var frameCount = 0
    var plan = CatchUpPlan()
    var jobs: [CatchUpPlan.Job: Task<Void, Never>] = [:]
    private var receipts = ReceiptScheduler()
    private var typing = TypingTracker()
    private var presence = PresenceTracker()
    private var typingTask: Task<Void, Never>?
    private var listener: Task<Void, Never>?
    private var isStopped = false

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
                tokenRefused: { await parts.engine?.tokenRefused() },
                drained: { await parts.engine?.paused() },
                storageFailed: { await parts.engine?.storageFailed($0) }))
        connection = Connection(connector: connector, clock: clock, random: random)
        parts.engine = self
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

    private func tokenRefused() async {
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

// MARK: - The session

extension SyncEngine {
    private func take(_ event: Connection.Event) async {
        switch event {
        case .began(let ready, let generation, let link): await began(ready, generation, link)
        case .received(let frame, let generation): received(frame, generation)
        case .ended(let route): await ended(route)
        case .signedOut: await events.signedOut()
        }
    }

    private func began(_ ready: SessionReady, _ generation: Int, _ link: any LiveLink) async {
        guard !isStopped else { return }
        self.generation = generation
        inbox = []
        plan.connected()
        receipts.disconnected()
        events.serverTime(ready.serverTime)
        await requestSync(over: link)
        await outbox.connected(.socket(generation: generation), link: link)
    }

    private func ended(_ route: OutboxMachine.Route) async {
        inbox = []
        plan.disconnected()
        for job in jobs.values { job.cancel() }
        receipts.disconnected()
        typing.disconnected()
        presence.disconnected()
        publishLive()
        await outbox.disconnected()
        if route != .none { await outbox.connected(route, link: nil) }
    }

    private func received(_ frame: ServerFrame, _ generation: Int) {
        guard generation == self.generation, plan.isConnected else { return }
        inbox.append(frame)
        guard !isProcessing else { return }
        isProcessing = true
        Task { await process() }
    }

    /// Everything that is there goes to the store in one commit.
    private func process() async {
        while !inbox.isEmpty {
            let frames = inbox
            inbox = []
            await apply(frames)
        }
        isProcessing = false
        await checkComplete()
        paused()
    }

    func paused() { pauses.send(pauses.value + 1) }
}

// MARK: - Frames

extension SyncEngine {
    private func apply(_ frames: [ServerFrame]) async {
        let generation = generation
        let stored = frames.compactMap { storedEvent($0) }
        do {
            let outcome = try await store.apply(stored, at: clock.now)
            guard generation == self.generation, plan.isConnected else {
                // The connection is gone; what was stored still settles what it settles.
                return await outbox.settled(outcome.settled)
            }
            for frame in frames { await follow(frame) }
            await merged(outcome)
        } catch {
            // Nothing may be claimed that is not stored: the connection is given up, and all of it comes again.
            await storageFailed(error)
            await connection.handle(
                .socketClosed(
                    generation: generation, code: nil, reason: "the local database failed"))
        }
    }

    private func storedEvent(_ frame: ServerFrame) -> StoredEvent? {
        switch frame.event {
        case .messageNew(let message), .messageUpdated(let message): .message(message)
        case .messageAck(let ack): .ack(ack)
        case .receiptUpdated(let receipt): .receipt(receipt)
        case .conversationUpdated(let conversation): .conversation(conversation)
        case .friendRequestReceived(let request), .friendRequestDeclined(let request),
            .friendRequestCancelled(let request):
            .request(request)
        case .friendRequestAccepted(let made): .friendship(made)
        case .friendRemoved(let removed): .friendRemoved(removed)
        case .userUpdated(let user): .user(user)
        case .presenceUpdated(let presence): .presence(presence)
        case .syncComplete(let complete):
            plan.asked(by: frame.id).map { .completed(complete, asked: $0) }
        case .sessionReady, .typing, .syncChanged, .error, .pong, .unknown: nil
        }
    }

    /// What a frame means besides its row.
    private func follow(_ frame: ServerFrame) async {
        switch frame.event {
        case .messageNew(let message):
            typing.arrived(message)
            publishLive()
        case .typing(let heard):
            typing.heard(heard, at: clock.monotonic)
            publishLive()
            scheduleTyping()
        case .presenceUpdated(let heard):
            presence.heard(heard)
            publishLive()
        case .friendRequestAccepted(let made):
            presence.heard(made.friend.presence)
            publishLive()
        case .friendRemoved(let removed):
            presence.removed(removed.userID)
            publishLive()
        case .receiptUpdated(let receipt): await followReceipt(receipt, frame.id)
        case .syncChanged: plan.want(.records)
        case .syncComplete: if let id = frame.id { plan.answered(id) }
        case .error(let error): await followError(error, frame.id)
        case .messageUpdated, .messageAck, .conversationUpdated, .friendRequestReceived,
            .friendRequestDeclined, .friendRequestCancelled, .userUpdated, .sessionReady, .pong, .unknown:
            break
        }
    }

    private func followReceipt(_ receipt: Receipt, _ frameID: String?) async {
        guard receipt.userID == store.me else { return }
        if let frameID { await outbox.replied(frameID) }
        if let seq = receipts.delivered(receipt.conversationID) {
            await sendDelivered(receipt.conversationID, seq)
        }
    }

    private func followError(_ error: FrameError, _ frameID: String?) async {
        if let frameID, plan.asked(by: frameID) != nil {
            // The stream will not come: the same is fetched by REST.
            await fallBack(frameID)
        }
        if let conversation = frameID.flatMap(Self.deliveredConversation) {
            // Reported again with what arrives next, or with the next connection.
            _ = receipts.delivered(conversation)
        }
        await outbox.refused(error, frameID: frameID)
    }

    /// What a merge asks for, whichever way it came.
    func merged(_ outcome: MergeOutcome) async {
        await outbox.settled(outcome.settled)
        if outcome.queuedReceipts { await outbox.drain() }
        if outcome.needsSync { plan.want(.records) }
        for (id, standing) in outcome.standings {
            if standing.need != .nothing, !plan.isStreaming(id) { plan.want(.messages(id)) }
            if let seq = standing.deliverable, plan.isConnected, let next = receipts.deliver(id, seq) {
                await sendDelivered(id, next)
            }
        }
        await readVisible(receipts.read.intersection(outcome.standings.keys))
        runJobs()
    }

    func heard(_ friends: [Friend]) {
        for friend in friends { presence.heard(friend.presence) }
        publishLive()
    }
}

// MARK: - Receipts

extension SyncEngine {
    private func sendDelivered(_ id: ID<Conversation>, _ seq: Int64) async {
        let watermark = Watermark(conversationID: id, seq: seq)
        await send(ClientFrame(.receiptDelivered(watermark), id: Self.deliveredFrame(id)))
    }

    private func readVisible(_ conversations: Set<ID<Conversation>>) async {
        var isQueued = false
        for id in conversations {
            do {
                if try await store.markVisibleRead(id, at: clock.now, quiet: ReceiptScheduler.quiet) {
                    isQueued = true
                }
            } catch {
                await storageFailed(error)
            }
        }
        if isQueued { await outbox.drain() }
    }

    private static func deliveredFrame(_ id: ID<Conversation>) -> String { "delivered-\(id)" }

    private static func deliveredConversation(_ frameID: String) -> ID<Conversation>? {
        frameID.hasPrefix("delivered-") ? ID(String(frameID.dropFirst("delivered-".count))) : nil
    }

    /// A frame that may be lost: whoever needs an answer asks again with the next connection.
    func send(_ frame: ClientFrame) async {
        do throws(ClientError) {
            try await connection.send(frame)
        } catch {
            // The connection's own end tells the same, and starts everything anew.
        }
    }

    func nextFrameID(_ name: String) -> String {
        frameCount += 1
        return "\(name)-\(frameCount)"
    }
}

// MARK: - Typing and presence

extension SyncEngine {
    private func publishLive() {
        live.send(LiveState(typing: typing.typing, presences: presence.presences))
    }

    private func tell(_ signals: [TypingTracker.Signal]) async {
        for signal in signals {
            switch signal {
            case .start(let id): await send(ClientFrame(.typingStart(TypingIn(conversationID: id))))
            case .stop(let id): await send(ClientFrame(.typingStop(TypingIn(conversationID: id))))
            }
        }
    }

    private func scheduleTyping() {
        typingTask?.cancel()
        guard let expiry = typing.nextExpiry else { return }
        typingTask = Task { [clock] in
            do {
                try await clock.sleep(until: expiry)
            } catch {
                return  // Something was typed meanwhile.
            }
            await self.expireTyping()
        }
    }

    private func expireTyping() async {
        let signals = typing.expire(at: clock.monotonic)
        publishLive()
        scheduleTyping()
        await tell(signals)
    }
}
