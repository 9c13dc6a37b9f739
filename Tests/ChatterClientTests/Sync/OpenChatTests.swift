import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterClient

// Field case 27
@Suite("A chat on screen while the connection is gone", .timeLimit(.minutes(5)))
struct OpenChatTests {
    private static let held: Int64 = 8

    private func bench() async throws -> EngineBench {
        var model = ServerModel()
        for _ in 0..<Self.held { model.receive() }
        // The twelve come in more than one piece.
        model.streamLimit = 5
        let bench = try await EngineBench(model, held: Self.held, pageSize: 5)
        await bench.online()
        await bench.engine.setOnScreen(Samples.chat, true)
        return bench
    }

    /// The socket is cut for 90 s while Ben writes twelve; answers when the next session was ready.
    private func cut(_ bench: EngineBench) async throws -> Duration {
        await bench.server.set { $0.connectError = ClientError(.outage, "no network") }
        await bench.server.drop()
        await bench.state { if case .offline = $0 { true } else { false } }
        let began = bench.clock.monotonic
        for _ in 0..<12 { await bench.server.receive(isHeard: false) }
        await bench.passing(.seconds(1)) { bench.clock.monotonic - began >= .seconds(90) }
        #expect(try await bench.items().count == Int(Self.held))
        await bench.server.set { $0.connectError = nil }
        await bench.passing {
            switch bench.engine.connectionState.value {
            case .syncing, .online: true
            case .offline, .connecting: false
            }
        }
        return bench.clock.monotonic
    }

    @Test(
        "Twelve messages of 90 s without a socket are shown in order and read within 2 s of the next session")
    func cutForNinetySeconds() async throws {
        let bench = try await bench()
        let ready = try await cut(bench)
        // Shown and counted as read without the clock moving at all; the receipt waits its moment of quiet.
        let items = try await bench.untilSeqs(1...(Self.held + 12))
        #expect(items.map(\.body) == (1...20).map { "text \($0)" })
        try await bench.until({ try $0.unread(Samples.chat) }, { $0 == 0 })
        await bench.server.until { $0.delivered.last == Self.held + 12 }
        bench.clock.advance(by: ReceiptScheduler.quiet)
        await bench.server.until { $0.read.last == Self.held + 12 }
        #expect(bench.clock.monotonic - ready <= .seconds(2))
        await bench.stop()
    }

    @Test("While nobody looks, they are shown and delivered, and stay unread")
    func inactive() async throws {
        let bench = try await bench()
        try await bench.until({ try $0.unread(Samples.chat) }, { $0 == 0 })
        await bench.engine.setActive(false)
        _ = try await cut(bench)
        try await bench.untilSeqs(1...(Self.held + 12))
        await bench.server.until { $0.delivered.last == Self.held + 12 }
        #expect(try await bench.store.read { try $0.unread(Samples.chat) } == 12)
        await bench.stop()
    }
}
