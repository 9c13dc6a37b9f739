import ChatterModel
import Testing

@testable import ChatterClient

@Suite("A message on its way out", .timeLimit(.minutes(1)))
struct SendingTests {
    @Test("It is shown at once, below everything, and confirmed in place")
    func sendAndAck() async throws {
        let bench = try await StoreBench()
        try await bench.receive((1...2).messages())
        let draft = Samples.draft(1, "hello")
        try await bench.send(draft)
        var items = try await bench.content().items
        #expect(items.map(\.body) == ["text 1", "text 2", "hello"])
        #expect(items.last?.status == .pending)
        let key = try #require(items.last?.id)

        try await bench.store.applyAck(Samples.ack(draft, seq: 3), at: bench.now)
        items = try await bench.content().items
        #expect(items.last?.status == .sent)
        #expect(items.last?.seq == 3)
        #expect(items.last?.id == key)
        #expect(items.last?.createdAt == Samples.ack(draft, seq: 3).createdAt)
        #expect(try await bench.outbox().map(\.kind) == ["receipt.read"])
        try await bench.audit()
    }

    // Field case 14
    @Test(
        "The echo before the ack makes one row, and the late ack changes nothing", arguments: [true, false])
    func echoFirst(ackComes: Bool) async throws {
        let bench = try await StoreBench(conversations: [Samples.conversation(lastSeq: 40)])
        let draft = Samples.draft(1)
        try await bench.send(draft)
        try await bench.receive([Samples.echo(draft, seq: 41)])
        #expect(try await bench.content().items.map(\.status) == [.sent])
        #expect(try await bench.outbox().isEmpty)
        if ackComes { try await bench.store.applyAck(Samples.ack(draft, seq: 41), at: bench.now) }
        let items = try await bench.content().items
        #expect(items.map(\.seq) == [41])
        #expect(try await bench.count("SELECT count(*) FROM messages") == 1)
        try await bench.audit()
    }
}
