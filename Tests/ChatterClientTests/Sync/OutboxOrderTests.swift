import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterClient

@Suite("Many messages to a server that answers in its own time", .timeLimit(.minutes(5)))
struct OutboxOrderTests {
    // Field case 18
    @Test(
        "Ninety messages of three chats, each answered after up to two seconds, keep their order in each chat",
        arguments: 0..<5)
    func randomDelays(seed: UInt64) async throws {
        let chats = [Samples.chat, Samples.otherChat, Samples.thirdChat]
        let bench = try await EngineBench(ServerModel(chats: chats), seed: seed)
        var random = SeededRandom(seed: seed)
        let drafts = (1...90).map { number in
            Samples.draft(number, in: chats[Int.random(in: 0..<3, using: &random)])
        }
        let delays = Delays(seed: seed)
        await bench.server.set { server in
            server.sendDelay = { [clock = bench.clock] in
                do {
                    try await clock.passes(await delays.next())
                } catch {
                    Issue.record("nobody cancels it: \(error)")
                }
            }
        }
        try await bench.write(drafts)
        await bench.engine.start()
        try await bench.passing(.milliseconds(100)) {
            try await bench.store.read { try $0.outboxItems().isEmpty }
        }
        let state = await bench.server.state
        for chat in chats {
            let written = drafts.filter { $0.conversationID == chat }.map(\.body)
            #expect(state.model[chat].messages.map(\.body) == written, "seed \(seed)")
            #expect(try await bench.items(chat).map(\.body) == written, "seed \(seed)")
            #expect(try await bench.items(chat).allSatisfy { $0.status == .sent }, "seed \(seed)")
        }
        #expect(await bench.server.mostAtOnce == 1, "seed \(seed)")
        await bench.stop()
    }
}

/// 0 to 2 s, the same with the same seed.
private actor Delays {
    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    func next() -> Duration { .milliseconds(Int.random(in: 0...2000, using: &random)) }
}
