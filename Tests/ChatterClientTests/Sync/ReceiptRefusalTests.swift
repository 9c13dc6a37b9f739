import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterClient

@Suite("Receipts that the server refuses", .timeLimit(.minutes(5)))
struct ReceiptRefusalTests {
    private func error(_ code: ErrorCode, retryAfter: Int? = nil) -> FrameError {
        FrameError(code: code.rawValue, message: "test", retryAfter: retryAfter)
    }

    @Test(
        "Delivered is said again on the same connection, with what came meanwhile",
        arguments: [ErrorCode.unavailable, .rateLimited, .internalError])
    func deliveredAgain(code: ErrorCode) async throws {
        let bench = try await EngineBench()
        await bench.online()
        let refusal = error(code, retryAfter: code == .internalError ? nil : 3)
        await bench.server.set { $0.deliveredErrors = [refusal, refusal] }
        await bench.server.receive()
        await bench.server.until { $0.delivered == [1] }
        await bench.server.receive()
        try await bench.untilSeqs(1...2)
        await bench.passing { await bench.server.state.model[Samples.chat].delivered[Samples.anna] == 2 }
        let state = await bench.server.state
        #expect(state.delivered == [1, 2, 2])
        #expect(state.connects == 1)
        await bench.stop()
    }

    @Test("A report that was lost with its connection is made with the next one")
    func lostDelivered() async throws {
        let bench = try await EngineBench()
        await bench.online()
        await bench.server.set { $0.deliveredErrors = [error(.unavailable, retryAfter: 200)] }
        await bench.server.receive()
        await bench.server.until { $0.delivered == [1] }
        await bench.reconnect()
        await bench.server.until { $0.delivered == [1, 1] }
        #expect(await bench.server.state.model[Samples.chat].delivered[Samples.anna] == 1)
        await bench.state { $0 == .online }
        await bench.reconnect()
        await bench.state { $0 == .online }
        #expect(await bench.server.state.delivered == [1, 1])
        await bench.stop()
    }

    @Test(
        "A read mark that is refused for good leaves nothing behind",
        arguments: ["NOT_FOUND", "SOMETHING_NEW"])
    func readOfNothing(code: String) async throws {
        let bench = try await EngineBench()
        await bench.online()
        await bench.server.set { $0.readErrors = [FrameError(code: code, message: "test")] }
        await bench.server.receive()
        try await bench.untilSeqs(1...1)
        try await bench.store.markRead(Samples.chat, upTo: 1, at: bench.clock.now)
        await bench.engine.outbox.drain()
        await bench.server.until { $0.read == [1] }
        try await bench.untilOutboxEmpty()
        #expect(try await bench.store.read { try $0.unread(Samples.chat) } == 0)
        await bench.stop()
    }

    @Test("A read mark that the server broke on is replaced by the next one")
    func brokenRead() async throws {
        let bench = try await EngineBench()
        await bench.online()
        let broken = error(.internalError)
        await bench.server.set { $0.readErrors = Array(repeating: broken, count: 8) }
        await bench.server.receive()
        try await bench.untilSeqs(1...1)
        try await bench.store.markRead(Samples.chat, upTo: 1, at: bench.clock.now)
        await bench.engine.outbox.drain()
        try await bench.passing { try await bench.store.read { try $0.failedCount() } == 1 }
        await bench.server.receive()
        try await bench.untilSeqs(1...2)
        try await bench.store.markRead(Samples.chat, upTo: 2, at: bench.clock.now)
        await bench.engine.outbox.drain()
        try await bench.untilOutboxEmpty()
        #expect(await bench.server.state.model[Samples.chat].read[Samples.anna] == 2)
        await bench.stop()
    }
}
