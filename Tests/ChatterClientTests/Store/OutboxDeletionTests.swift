import ChatterModel
import Testing

@testable import ChatterClient

// Field cases 11, 103
@Suite("Deleting what is not sent yet")
struct OutboxDeletionTests {
    private func key(_ number: Int64) -> MessageItem.Key {
        MessageItem.Key(senderID: Samples.anna, clientMessageID: Samples.key(number))
    }

    // Field case 11
    @Test("A waiting message vanishes from chat and outbox together, and stays away after a relaunch")
    func vanishes() async throws {
        let bench = try await StoreBench(onDisk: true)
        for number in Int64(1)...3 { try await bench.send(Samples.draft(number)) }
        try await bench.store.delete(key(2), scope: .everyone, at: bench.now)
        try await bench.relaunch()
        #expect(try await bench.bodies() == ["own 1", "own 3"])
        #expect(try await bench.outbox().map(\.clientMessageID) == [Samples.key(1), Samples.key(3)])
        #expect(try await bench.count("SELECT count(*) FROM messages") == 2)
        try await bench.audit()
    }

    @Test(
        "One that may be on its way is shown as deleted, sent with its text, then deleted for everyone",
        arguments: [DeletionScope.me, .everyone])
    func onTheWay(scope: DeletionScope) async throws {
        let bench = try await StoreBench(onDisk: true)
        let draft = Samples.draft(1, "secret")
        try await bench.send(draft)
        let send = try #require(try await bench.store.outboxHeads().first)
        _ = try await bench.store.claim(send.id)
        try await bench.store.delete(key(1), scope: scope, at: bench.now)
        #expect(try await bench.content().items.map(\.isDeleted) == [true])
        #expect(try await bench.chat().preview == nil)
        try await bench.relaunch()
        #expect(try await bench.store.claim(send.id) == .send(draft))
        // The echo with the text in it does not bring it back.
        try await bench.receive([Samples.echo(draft, seq: 1)])
        #expect(try await bench.content().items.map(\.isDeleted) == [true])
        let deletion = try #require(try await bench.store.outboxHeads().first)
        #expect(try await bench.store.claim(deletion.id) == .deleteMessage(Samples.messageID(1), .everyone))
        _ = try await bench.store.complete(
            deletion.id,
            with: .message(
                Samples.message(
                    1, change: 2, from: Samples.anna, clientMessageID: draft.clientMessageID, deleted: true)),
            at: bench.now)
        #expect(try await bench.content().items.map(\.isDeleted) == [true])
        #expect(try await bench.count("SELECT count(*) FROM messages WHERE body <> ''") == 0)
        #expect(try await bench.outbox().isEmpty)
        try await bench.audit()
    }

    @Test("When the send itself is refused, nothing of the deleted message is left")
    func refusedSend() async throws {
        let bench = try await StoreBench()
        try await bench.send(Samples.draft(1))
        let send = try #require(try await bench.store.outboxHeads().first)
        _ = try await bench.store.claim(send.id)
        try await bench.store.delete(key(1), scope: .everyone, at: bench.now)
        try await bench.store.markFailed(send.id, FailureReason(code: "NOT_FRIENDS"), because: "no")
        #expect(try await bench.content().items.isEmpty)
        #expect(try await bench.outbox().isEmpty)
    }

    @Test("A failed message can be given up")
    func discardFailed() async throws {
        let bench = try await StoreBench()
        try await bench.send(Samples.draft(1))
        let send = try #require(try await bench.store.outboxHeads().first)
        _ = try await bench.store.claim(send.id)
        try await bench.store.markFailed(send.id, FailureReason(code: "NOT_FRIENDS"), because: "no")
        try await bench.store.discardEntry(send.id, at: bench.now)
        #expect(try await bench.content().items.isEmpty)
        #expect(try await bench.outbox().isEmpty)
    }

    @Test("A retried message goes to the end of the queue, on the screen too")
    func retryGoesLast() async throws {
        let bench = try await StoreBench()
        for number in Int64(1)...3 { try await bench.send(Samples.draft(number)) }
        let first = try #require(try await bench.store.outboxHeads().first)
        _ = try await bench.store.claim(first.id)
        try await bench.store.markFailed(first.id, FailureReason(code: "FORBIDDEN"), because: "no")
        #expect(try await bench.store.outboxHeads().map(\.id) == [first.id + 1])
        try await bench.store.retry(Samples.key(1), at: bench.now)
        #expect(try await bench.bodies() == ["own 2", "own 3", "own 1"])
        #expect(try await bench.outbox().map(\.clientMessageID) == [2, 3, 1].map { Samples.key($0) })
        #expect(try await bench.outbox().map(\.attempts) == [0, 0, 0])
        await #expect(throws: StoreError.noSuchMessage) {
            try await bench.store.retry(Samples.key(1), at: bench.now)
        }
        try await bench.audit()
    }

    @Test("A refused deletion shows the message again")
    func refusedDeletion() async throws {
        let bench = try await StoreBench()
        try await bench.receive((1...1).messages())
        let item = try #require(try await bench.content().items.first)
        try await bench.store.delete(item.id, scope: .me, at: bench.now)
        #expect(try await bench.content().items.isEmpty)
        #expect(try await bench.unread() == 0)
        let head = try #require(try await bench.store.outboxHeads().first)
        #expect(try await bench.store.claim(head.id) == .deleteMessage(Samples.messageID(1), .me))
        try await bench.store.markFailed(head.id, FailureReason(code: "FORBIDDEN"), because: "no")
        #expect(try await bench.bodies() == ["text 1"])
        #expect(try await bench.unread() == 1)
        try await bench.audit()
    }

    @Test("A message that the server does not have any more goes away here too")
    func alreadyGone() async throws {
        let bench = try await StoreBench()
        try await bench.receive((1...1).messages())
        let item = try #require(try await bench.content().items.first)
        try await bench.store.delete(item.id, scope: .me, at: bench.now)
        try await bench.store.settle(try #require(try await bench.store.outboxHeads().first).id)
        #expect(try await bench.content().items.isEmpty)
        #expect(try await bench.outbox().isEmpty)
        try await bench.audit()
    }

    @Test("Deleting twice is one action")
    func twice() async throws {
        let bench = try await StoreBench()
        try await bench.receive((1...1).messages())
        let item = try #require(try await bench.content().items.first)
        for _ in 0..<3 { try await bench.store.delete(item.id, scope: .me, at: bench.now) }
        #expect(try await bench.outbox().count == 1)
    }

    @Test("An unknown message cannot be deleted")
    func unknown() async throws {
        let bench = try await StoreBench()
        await #expect(throws: StoreError.noSuchMessage) {
            try await bench.store.delete(key(9), scope: .me, at: bench.now)
        }
    }
}
