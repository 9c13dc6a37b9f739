import ChatterModel
import ChatterTestSupport
import Foundation
import Testing

@testable import ChatterClient

/// The engine on a real store, a fake server and a clock that the test moves.
final class EngineBench: Sendable {
    let clock = ManualClock(now: Samples.noon)
    let server: FakeServer
    let store: Store
    let engine: SyncEngine
    let problems = Broadcast<[String]>([])
    let signOuts = Broadcast(0)

    /// - Parameter held: what the device has of the chat from an earlier session.
    init(
        _ model: ServerModel = ServerModel(), held: Int64 = 0, path: String? = nil, pageSize: Int = 200,
        seed: UInt64 = 1
    ) async throws {
        server = FakeServer(model)
        store = try Store(path: path, account: Samples.anna, executor: .inline)
        store.epoch.current = await server.epoch
        try await store.store(Samples.me())
        try await Self.fill(store, model, held)
        let (problems, signOuts) = (problems, signOuts)
        engine = SyncEngine(
            store: store, calls: server, connector: server, clock: clock, random: .seeded(seed),
            pageSize: pageSize,
            events: SyncEngine.Events(
                signedOut: { signOuts.send(signOuts.value + 1) },
                storageFailed: { problems.send(problems.value + ["\($0)"]) }, serverTime: { _ in }))
    }

    private static func fill(_ store: Store, _ model: ServerModel, _ held: Int64) async throws {
        for id in model.chats.keys.sorted() {
            _ = try await store.store(Samples.conversation(id), at: Samples.noon)
            let messages = model.page(id, .newest, limit: .max).messages.filter { $0.seq <= held }
            _ = try await store.apply(messages.map { .message($0) }, at: Samples.noon)
        }
    }

    // MARK: - Waiting

    func state(_ test: @escaping @Sendable (ConnectionState) -> Bool) async {
        for await state in engine.connectionState.stream() where test(state) { return }
    }

    func online() async {
        await engine.start()
        await state { $0 == .online }
    }

    /// Returns once the query's value passes.
    func until<T: Sendable & Equatable>(
        _ query: @escaping @Sendable (ReadContext) throws -> T, _ test: (T) -> Bool
    ) async throws {
        for try await value in store.observe(Set(Table.allCases), query) where test(value) { return }
    }

    func untilOutboxEmpty() async throws {
        try await until({ try $0.outboxItems().count }, { $0 == 0 })
    }

    /// Waits for the chat to hold exactly these seqs, and answers what is shown.
    @discardableResult
    func untilSeqs(_ seqs: ClosedRange<Int64>) async throws -> [MessageItem] {
        try await until({ try $0.conversation(Samples.chat, limit: 1000)?.items.compactMap(\.seq) }) {
            $0 == Array(seqs)
        }
        return try await items()
    }

    /// Lets time pass in small steps until this holds.
    func passing(
        _ step: Duration = .milliseconds(250), until test: () async throws -> Bool
    ) async rethrows {
        while try await !test() {
            clock.advance(by: step)
            // Whoever was woken gets a turn, so that answers do not seem to take long.
            for _ in 0..<5 { await Task.yield() }
        }
    }

    /// The connection ends, is heard of as such, and the next one is made.
    func reconnect(_ code: CloseCode? = nil) async {
        await server.drop(code)
        await state { if case .offline = $0 { true } else { false } }
        await nextAttempt()
    }

    // MARK: - Looking and writing

    func items(_ id: ID<Conversation> = Samples.chat) async throws -> [MessageItem] {
        try #require(try await store.read { try $0.conversation(id, limit: 1000) }).items
    }

    func send(_ draft: SendMessage) async throws {
        try await store.insertPending(draft, at: clock.now)
        await engine.outbox.drain()
    }

    /// Stored, but nobody is told: as after a relaunch.
    func write(_ drafts: [SendMessage]) async throws {
        for draft in drafts { try await store.insertPending(draft, at: clock.now) }
    }

    func stop() async {
        await engine.stop()
        await store.close()
    }
}

extension EngineBench {
    /// The connection is offline and its retry timer runs: lets it fire.
    func nextAttempt() async {
        guard case .offline(_, let retryAt?) = engine.connectionState.value else { return }
        clock.advance(by: max(.zero, clock.now.duration(to: retryAt)) + .milliseconds(1))
    }

    /// The head of the chat's lane sleeps: lets it wake.
    func wakeOutbox() async {
        clock.advance(by: Backoff.cap)
        await engine.outbox.drain()
    }
}
