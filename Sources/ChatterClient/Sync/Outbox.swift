import ChatterModel
import SQLite

/// Sends what the outbox holds: lanes side by side, each in order and one entry at a time. Every trigger ends in
/// `drain()`; triggers overlap, so one task drains and is asked for another pass.
actor Outbox {
    /// How long an answer on the socket is waited for; a later one still counts.
    static let answerTimeout = Duration.seconds(10)

    struct Events: Sendable {
        /// An answer was merged.
        var merged: @Sendable (MergeOutcome) async -> Void
        /// The connection of this generation did not take a frame.
        var linkFailed: @Sendable (Int) async -> Void
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

    struct Answer {
        var outcome: OutboxMachine.Outcome
        var error = ""
    }

    struct Awaited {
        var kind: OutboxAction.Kind
        var continuation: CheckedContinuation<Answer, Never>
    }

    let store: Store
    let calls: any ServerCalls
    let clock: any ChatterClock
    let random: RandomSource
    let events: Events

    var machine = OutboxMachine()
    var link: (any LiveLink)?
    var draining: Task<Void, Never>?
    var mustDrainAgain = false
    var isStopped = false
    var wakeTask: Task<Void, Never>?
    var tasks: [Int64: Task<Void, Never>] = [:]
    /// Entries whose answer comes over the socket.
    var answers: [Int64: Awaited] = [:]
    var sends: [ClientMessageID: Int64] = [:]
    var verdicts: [Int64: [CheckedContinuation<Verdict, Never>]] = [:]

    init(
        store: Store, calls: any ServerCalls, clock: any ChatterClock, random: RandomSource, events: Events
    ) {
        self.store = store
        self.calls = calls
        self.clock = clock
        self.random = random
        self.events = events
    }

    var isIdle: Bool { machine.isIdle && draining == nil }
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
        drain()
    }

    func disconnected() {
        machine.route = .none
        link = nil
        wakeTask?.cancel()
        wakeTask = nil
        for id in Array(answers.keys) { answer(id, Answer(outcome: .disconnected, error: "connection lost")) }
        for id in Array(verdicts.keys) where tasks[id] == nil { decide(id, .waiting) }
    }

    func stop() async {
        isStopped = true
        disconnected()
        await draining?.value
        let running = Array(tasks.values)
        for task in running { task.cancel() }
        for task in running { await task.value }
        for id in Array(verdicts.keys) { decide(id, .waiting) }
    }

    /// Own messages that an ack, an event, or a page has confirmed.
    func settled(_ ids: Set<ClientMessageID>) {
        guard !ids.isEmpty else { return }
        for id in ids {
            if let entry = sends[id] { answer(entry, Answer(outcome: .done)) }
        }
        drain()
    }

    /// The server has answered a frame of an entry that has no answer of its own.
    func replied(_ frameID: String) {
        if let entry = Self.entryID(frameID) { answer(entry, Answer(outcome: .done)) }
    }

    /// An `error` event that names a frame or a message of the outbox.
    func refused(_ error: FrameError, frameID: String?) {
        let entry = error.clientMessageID.flatMap { sends[$0] } ?? frameID.flatMap(Self.entryID)
        guard let entry, let kind = answers[entry]?.kind else { return }
        let failure = ClientError(error)
        answer(entry, Answer(outcome: outcome(of: failure, kind: kind), error: failure.message))
    }

    /// Waits until an entry was tried: for an edit whose refusal a person should see at once.
    func verdict(of id: Int64) async -> Verdict {
        await withCheckedContinuation { continuation in
            verdicts[id, default: []].append(continuation)
            Task { await lookUp(id) }
        }
    }
}

// MARK: - Verdicts

extension Outbox {
    func decide(_ id: Int64, _ verdict: Verdict) {
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
