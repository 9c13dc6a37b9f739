import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterClient

/// Whatever the server and the network do on the way: once both are well again, the device and the server hold the
/// same.
@Suite("Random runs of the engine", .timeLimit(.minutes(5)))
struct RandomRunTests {
    @Test("After any run of sends, changes, losses and faults both sides agree", arguments: 0..<20)
    func agrees(seed: UInt64) async throws {
        let run = try await RandomRun(seed: seed)
        await run.bench.engine.start()
        for _ in 0..<60 { try await run.step() }
        try await run.heal()
        for chat in RandomRun.chats { try await run.compare(chat) }
        #expect(run.bench.problems.value.isEmpty, "seed \(seed)")
        await run.bench.stop()
    }
}

/// One device, three chats, and a server that is told by a seed what to do next.
private final class RandomRun {
    static let chats = [Samples.chat, Samples.otherChat, Samples.thirdChat]

    let bench: EngineBench
    private let seed: UInt64
    private var random: SeededRandom
    private var written: [ID<Conversation>: [String]] = [:]
    private var drafts: Int64 = 0
    private var faultsLeft = 7

    init(seed: UInt64) async throws {
        self.seed = seed
        random = SeededRandom(seed: seed)
        var model = ServerModel(chats: Self.chats)
        model.streamLimit = 3
        bench = try await EngineBench(model, pageSize: 4, seed: seed)
    }

    private func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private func chat() -> ID<Conversation> { Self.chats[Int.random(in: 0..<3, using: &random)] }

    // MARK: - On the way

    func step() async throws {
        switch Int.random(in: 0..<12, using: &random) {
        case 0...2: try await write()
        case 3...5: await bench.server.receive(in: chat(), isHeard: chance(60))
        case 6: await change()
        case 7: await bench.server.drop(chance(30) ? .tooLarge : chance(20) ? .restarting : nil)
        case 8: await failCalls()
        case 9: await failFrames()
        case 10: await bench.engine.setOnScreen(chat(), chance(50))
        default: await pass()
        }
        if case .offline = bench.engine.connectionState.value, chance(50) { await bench.nextAttempt() }
        // How far the client gets before the next blow is part of the run.
        for _ in 0..<Int.random(in: 0..<40, using: &random) { await Task.yield() }
    }

    private func write() async throws {
        drafts += 1
        let draft = Samples.draft(drafts, in: chat())
        written[draft.conversationID, default: []].append(draft.body)
        try await bench.send(draft)
    }

    private func change() async {
        let (id, isEdit, isHeard, pick) = (
            chat(), chance(50), chance(60), Int64.random(in: 1...20, using: &random)
        )
        let message = await bench.server.mutate { model -> Message? in
            guard let message = model[id].messages.first(where: { $0.seq == pick }), message.deletedAt == nil
            else { return nil }
            return isEdit
                ? model.edit(pick, "edited \(model[id].lastChange)", in: id) : model.delete(pick, in: id)
        }
        if let message, isHeard { await bench.server.push(.messageUpdated(message)) }
    }

    private func failCalls() async {
        let count = Int.random(in: 1...4, using: &random)
        // Eight on one message would make it fail, as they should.
        let isFault = chance(30) && faultsLeft >= count
        if isFault { faultsLeft -= count }
        let error =
            isFault
            ? ClientError(.fault, "broken", status: 500) : ClientError(.outage, "overloaded", status: 503)
        await bench.server.set { $0.callErrors += Array(repeating: error, count: count) }
    }

    private func failFrames() async {
        let unavailable = FrameError(code: ErrorCode.unavailable.rawValue, message: "test", retryAfter: 2)
        let answers: [FakeServer.SendAnswer] = [
            .storeSilently, .storeAndDrop, .lose, .refuse(unavailable), .ack,
        ]
        let picks = (0..<3).map { _ in answers[Int.random(in: 0..<answers.count, using: &random)] }
        let garbled = Set((0..<3).map { _ in Int64.random(in: 1...30, using: &random) })
        let isMute = chance(20)
        await bench.server.set { server in
            server.sendAnswers += picks
            server.deliveredErrors += [unavailable, nil]
            server.readErrors += [unavailable]
            server.garbledSeqs = garbled
            if isMute { server.links.last?.mute() }
        }
    }

    private func pass() async {
        bench.clock.advance(by: .milliseconds(Int.random(in: 0...12_000, using: &random)))
    }

    // MARK: - The end

    /// Everything works again, and there is time.
    func heal() async throws {
        await bench.server.set { server in
            server.callErrors = []
            server.pageErrors = []
            server.sendAnswers = []
            server.deliveredErrors = []
            server.readErrors = []
            server.garbledSeqs = []
        }
        // What a live event lost, only the next connection is sure to ask for.
        await bench.passing {
            switch self.bench.engine.connectionState.value {
            case .syncing, .online: true
            case .offline, .connecting: false
            }
        }
        await bench.reconnect()
        try await bench.passing {
            try await self.bench.engine.isSettled() && self.bench.engine.connectionState.value == .online
        }
    }

    func compare(_ id: ID<Conversation>) async throws {
        let server = await bench.server.state.model[id]
        let items = try await bench.items(id)
        #expect(items.compactMap(\.seq) == server.messages.map(\.seq), "seed \(seed)")
        #expect(items.map(\.body) == server.messages.map(\.body), "seed \(seed)")
        #expect(items.map(\.isDeleted) == server.messages.map { $0.deletedAt != nil }, "seed \(seed)")
        let own = server.messages.filter { $0.senderID == Samples.anna }
        #expect(own.map(\.clientMessageID) == own.map(\.clientMessageID).uniqued(), "seed \(seed)")
        #expect(own.count == written[id]?.count ?? 0, "seed \(seed)")
        let untouched = own.filter { $0.editedAt == nil && $0.deletedAt == nil }
        let order = (written[id] ?? []).filter { body in untouched.contains { $0.body == body } }
        #expect(untouched.map(\.body) == order, "seed \(seed)")
        let newest = server.messages.last { $0.senderID == Samples.ben }?.seq ?? 0
        #expect(server.delivered[Samples.anna] ?? 0 >= newest, "seed \(seed)")
        #expect(try await bench.store.read { try $0.holes(in: id) }.isEmpty, "seed \(seed)")
    }
}

extension Array where Element: Hashable {
    fileprivate func uniqued() -> [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
