import ChatterModel
import SQLite

/// Sends what the outbox holds: lanes side by side, each in order and one entry at a time. Every trigger ends in
/// `drain()`; triggers overlap, so one drain runs and is asked for another pass.
actor Outbox {
    /// How long an answer on the socket is waited for; a later one still counts.
    static let answerTimeout = Duration.seconds(10)

    struct Events: Sendable {
        /// An answer was merged.
        var merged: @Sendable (MergeOutcome) async -> Void
        /// The server refused the token of an entry's call.
        var tokenRefused: @Sendable () async -> Void
        /// What could leave has left; asked again after each entry.
        var drained: @Sendable () async -> Void
        /// The local database failed; the entry stays where it is.
        var storageFailed: @Sendable (any Error) async -> Void
    }

    /// What became of one departure.
    enum Verdict: Hashable, Sendable {
        case done
        /// Still in the queue.
        case waiting
        case failed(FailureReason)
    }

    private struct Answer {
        var outcome: OutboxMachine.Outcome
        var error = ""
    }

    private let store: Store
    private let calls: any ServerCalls
    private let clock: any ChatterClock
    private let random: RandomSource
    private let events: Events

    private var machine = OutboxMachine()
    private var link: (any LiveLink)?
    private var isDraining = false
    private var mustDrainAgain = false
    private var isStopped = false
    private var wakeTask: Task<Void, Never>?
    private var tasks: [Int64: Task<Void, Never>] = [:]
    /// Entries whose answer comes over the socket.
    private var answers: [Int64: CheckedContinuation<Answer, Never>] = [:]
    private var sends: [ClientMessageID: Int64] = [:]
    private var verdicts: [Int64: [CheckedContinuation<Verdict, Never>]] = [:]

    init(
        store: Store, calls: any ServerCalls, clock: any ChatterClock, random: RandomSource, events: Events
    ) {
        self.store = store
        self.calls = calls
        self.clock = clock
        self.random = random
        self.events = events
    }

    var isIdle: Bool { machine.isIdle && !isDraining }
}

// MARK: - Triggers

extension Outbox {
    /// There is a way out: what sleeps is woken. `link` goes with a socket's route.
    func connected(_ route: OutboxMachine.Route, link: (any LiveLink)?) async {
        guard !isStopped else { return }
        machine.route = route
        self.link = link
        do {
            try await store.wakeOutbox()
        } catch {
            // They wake by their own timers then.
            await events.storageFailed(error)
        }
        await drain()
    }

    func disconnected() {
        machine.route = .none
        link = nil
        wakeTask?.cancel()
        for id in Array(answers.keys) { answer(id, Answer(outcome: .disconnected, error: "connection lost")) }
        for id in Array(verdicts.keys) where tasks[id] == nil { decide(id, .waiting) }
    }

    func stop() async {
        isStopped = true
        disconnected()
        let running = Array(tasks.values)
        for task in running { task.cancel() }
        for task in running { await task.value }
        for id in Array(verdicts.keys) { decide(id, .waiting) }
    }

    /// Own messages that an ack, an event, or a page has confirmed.
    func settled(_ ids: Set<ClientMessageID>) async {
        guard !ids.isEmpty else { return }
        for id in ids {
            if let entry = sends[id] { answer(entry, Answer(outcome: .done)) }
        }
        await drain()
    }

    /// The server has answered a frame of an entry that has no answer of its own.
    func replied(_ frameID: String) {
        if let entry = Self.entryID(frameID) { answer(entry, Answer(outcome: .done)) }
    }

    /// An `error` event that names a frame or a message of the outbox.
    func refused(_ error: FrameError, frameID: String?) {
        let entry = error.clientMessageID.flatMap { sends[$0] } ?? frameID.flatMap(Self.entryID)
        guard let entry, answers[entry] != nil else { return }
        let failure = ClientError(error)
        answer(entry, Answer(outcome: outcome(of: failure), error: failure.message))
    }

    /// Waits until an entry was tried: for an edit whose refusal a person should see at once.
    func verdict(of id: Int64) async -> Verdict {
        await withCheckedContinuation { continuation in
            verdicts[id, default: []].append(continuation)
            Task { await lookUp(id) }
        }
    }
}

// MARK: - Draining

extension Outbox {
    func drain() async {
        mustDrainAgain = true
        guard !isDraining, !isStopped else { return }
        isDraining = true
        while mustDrainAgain, !isStopped {
            mustDrainAgain = false
            do {
                depart(try await store.outboxHeads())
            } catch {
                await events.storageFailed(error)
                wake(after: Backoff.cap)
            }
        }
        isDraining = false
        await events.drained()
    }

    private func depart(_ heads: [OutboxHead]) {
        guard !isStopped else { return }
        let plan = machine.depart(heads, at: clock.now)
        for head in plan.departures {
            tasks[head.id] = Task { await self.run(head) }
        }
        if let delay = plan.wakeAfter { wake(after: delay) }
    }

    private func wake(after delay: Duration) {
        wakeTask?.cancel()
        // Counted from now and not from whenever the task gets to run.
        let deadline = clock.monotonic + delay
        wakeTask = Task { [clock] in
            do {
                try await clock.sleep(until: deadline)
            } catch {
                return  // Cancelled: another wake or none is wanted.
            }
            await self.drain()
        }
    }

    private func run(_ head: OutboxHead) async {
        let answer = await attempt(head)
        let consequence = machine.consequence(
            of: answer.outcome, for: head, at: clock.now, random: random.unit())
        var verdict = Verdict.waiting
        do {
            verdict = try await store(consequence, of: head, because: answer.error)
        } catch {
            await events.storageFailed(error)
            await pause()
        }
        tasks[head.id] = nil
        machine.release(head)
        decide(head.id, verdict)
        await drain()
    }

    /// A database that cannot be written is not asked again at once.
    private func pause() async {
        do {
            try await clock.sleep(for: Backoff.cap)
        } catch {
            // Stopped.
        }
    }

    private func store(
        _ consequence: OutboxMachine.Consequence, of head: OutboxHead, because error: String
    ) async throws -> Verdict {
        switch consequence {
        case .none: return .done
        case .settle:
            try await store.settle(head.id)
            return .done
        case .postpone(let until, let isHeld, let faults):
            try await store.postpone(head.id, until: until, isHeld: isHeld, faults: faults, because: error)
            return .waiting
        case .refreshAndPostpone(let until, let faults):
            try await store.postpone(head.id, until: until, isHeld: false, faults: faults, because: error)
            await events.tokenRefused()
            return .waiting
        case .fail(let reason):
            try await store.markFailed(head.id, reason, because: error)
            return .failed(reason)
        }
    }
}

// MARK: - One departure

extension Outbox {
    private func attempt(_ head: OutboxHead) async -> Answer {
        do {
            guard let call = try await store.claim(head.id) else { return Answer(outcome: .done) }
            // The connection may have gone while the entry was claimed.
            guard machine.route != .none else { return Answer(outcome: .disconnected) }
            if let link, let action = call.frame {
                return await exchange(action, for: head.id, over: link)
            }
            let reply = try await calls.perform(call)
            await events.merged(try await store.complete(head.id, with: reply, at: clock.now))
            return Answer(outcome: .done)
        } catch let error as ClientError {
            return Answer(outcome: outcome(of: error, kind: head.kind), error: error.message)
        } catch {
            await events.storageFailed(error)
            return Answer(outcome: .outage(retryAfter: nil), error: "the local database failed")
        }
    }

    private func exchange(
        _ action: ClientAction, for entry: Int64, over link: any LiveLink
    ) async -> Answer {
        if case .messageSend(let message) = action { sends[message.clientMessageID] = entry }
        let deadline = clock.monotonic + Self.answerTimeout
        let timeout = Task { [clock] in
            do {
                try await clock.sleep(until: deadline)
            } catch {
                return  // The answer came.
            }
            self.answer(entry, Answer(outcome: .outage(retryAfter: nil), error: "no answer in time"))
        }
        defer {
            timeout.cancel()
            if case .messageSend(let message) = action { sends[message.clientMessageID] = nil }
        }
        let answer = await withCheckedContinuation { continuation in
            answers[entry] = continuation
            Task { await send(ClientFrame(action, id: Self.frameID(entry)), for: entry, over: link) }
        }
        guard answer.outcome == .done, case .receiptRead = action else { return answer }
        // A send's entry left with the ack's commit; a receipt's leaves here.
        return await finishReceipt(entry)
    }

    private func send(_ frame: ClientFrame, for entry: Int64, over link: any LiveLink) async {
        do throws(ClientError) {
            try await link.send(frame)
        } catch {
            let outcome: OutboxMachine.Outcome =
                error.kind == .invalid ? .refused(code: "INVALID", isDone: false) : .disconnected
            answer(entry, Answer(outcome: outcome, error: error.message))
        }
    }

    private func finishReceipt(_ entry: Int64) async -> Answer {
        do {
            try await store.settle(entry)
            return Answer(outcome: .done)
        } catch {
            await events.storageFailed(error)
            return Answer(outcome: .outage(retryAfter: nil), error: "the local database failed")
        }
    }

    /// The first answer counts.
    private func answer(_ entry: Int64, _ answer: Answer) {
        answers.removeValue(forKey: entry)?.resume(returning: answer)
    }

    private func outcome(
        of error: ClientError, kind: OutboxAction.Kind = .send
    ) -> OutboxMachine.Outcome {
        switch error.kind {
        case .cancelled, .closed, .signedOut: return .disconnected
        default: break
        }
        switch error.failureClass {
        case .success: return .done
        case .outage: return .outage(retryAfter: error.retryAfter)
        case .fault: return .fault
        case .unauthorised: return .unauthorised
        case .refusal:
            let code = if case .refused(let code) = error.kind { code } else { "REFUSED" }
            return .refused(code: code, isDone: kind.isDone(whenRefusedWith: code))
        }
    }

    private static func frameID(_ entry: Int64) -> String { "outbox-\(entry)" }

    private static func entryID(_ frameID: String) -> Int64? {
        frameID.hasPrefix("outbox-") ? Int64(frameID.dropFirst("outbox-".count)) : nil
    }
}

// MARK: - Verdicts

extension Outbox {
    private func decide(_ id: Int64, _ verdict: Verdict) {
        for continuation in verdicts.removeValue(forKey: id) ?? [] { continuation.resume(returning: verdict) }
    }

    /// The entry may have been tried before anybody asked.
    private func lookUp(_ id: Int64) async {
        do {
            let entry = try await store.read { try $0.entry(id) }
            let item = try await store.read { try $0.outboxItems().first { $0.id == id } }
            if entry == nil { return decide(id, .done) }
            if case .failed(let reason)? = item?.state { return decide(id, .failed(reason)) }
        } catch {
            await events.storageFailed(error)
            return decide(id, .waiting)
        }
        if machine.route == .none || isStopped { decide(id, .waiting) }
    }
}

extension OutboxCall {
    /// What goes over the socket while there is one.
    fileprivate var frame: ClientAction? {
        switch self {
        case .send(let message): .messageSend(message)
        case .read(let watermark): .receiptRead(watermark)
        default: nil
        }
    }
}

extension ServerCalls {
    /// The call by REST.
    fileprivate func perform(_ call: OutboxCall) async throws(ClientError) -> OutboxReply {
        switch call {
        case .send(let message): return .ack(try await send(message))
        case .deleteMessage(let id, let scope): return .message(try await deleteMessage(id, scope: scope))
        case .read(let watermark):
            return .receipt(
                try await moveReceipts(in: watermark.conversationID, MoveReceipts(read: watermark.seq)))
        case .editSettings(let id, let edit): return .conversation(try await editSettings(of: id, edit))
        case .editProfile(let edit): return .me(try await editProfile(edit))
        case .sendFriendRequest(let user): return .friendRequest(try await sendFriendRequest(to: user))
        case .acceptFriendRequest(let id): return .friend(try await acceptFriendRequest(id))
        case .block(let user): return .block(try await block(user))
        case .cancelFriendRequest(let id): try await cancelFriendRequest(id)
        case .declineFriendRequest(let id): try await declineFriendRequest(id)
        case .removeFriend(let user): try await removeFriend(user)
        case .unblock(let user): try await unblock(user)
        }
        return .done
    }
}
