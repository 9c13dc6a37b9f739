import ChatterModel
import Testing

@testable import ChatterClient

@Suite("Messages that come in any order, twice, or late")
struct MergingTests {
    @Test("A repeated message is one row")
    func repeated() async throws {
        let bench = try await StoreBench()
        for _ in 0..<3 { try await bench.receive((1...3).messages()) }
        #expect(try await bench.bodies() == ["text 1", "text 2", "text 3"])
        #expect(try await bench.unread() == 3)
        try await bench.audit()
    }

    // Field case 30
    @Test("Old messages that were changed meanwhile come by their change: a tombstone and a new text")
    func changedMeanwhile() async throws {
        let bench = try await StoreBench(onDisk: true)
        try await bench.receive((1...60).messages())
        try await bench.relaunch()
        var edited = Samples.message(31, change: 62, body: "edited")
        edited.editedAt = Samples.noon
        let page = Samples.page(
            [Samples.message(30, change: 61, deleted: true), edited], lastSeq: 60, lastChange: 62)
        try await bench.merge(page, asked: .afterChange(60))
        let items = try await bench.content().items
        #expect(items[29].isDeleted && items[29].body.isEmpty)
        #expect(items[30].body == "edited" && items[30].editedAt != nil)
        #expect(items.count == 60)
        #expect(try await bench.count("SELECT count(*) FROM messages WHERE body = 'text 30'") == 0)
        #expect(try await bench.sync().synced == 62)
        try await bench.audit()
    }

    @Test("A tombstone before its message wins")
    func tombstoneFirst() async throws {
        let bench = try await StoreBench()
        try await bench.receive([Samples.message(1, change: 2, deleted: true)])
        try await bench.receive([Samples.message(1, change: 1, body: "secret")])
        let items = try await bench.content().items
        #expect(items.map(\.isDeleted) == [true])
        #expect(try await bench.count("SELECT count(*) FROM messages WHERE body = 'secret'") == 0)
        #expect(try await bench.unread() == 0)
        try await bench.audit()
    }

    @Test("An older state of a message never replaces a newer one")
    func olderChange() async throws {
        let bench = try await StoreBench()
        try await bench.receive([Samples.message(1, change: 5, body: "newest")])
        for change in Int64(1)...5 {
            try await bench.receive([Samples.message(1, change: change, body: "old")])
        }
        #expect(try await bench.bodies() == ["newest"])
        try await bench.receive([Samples.message(1, change: 6, body: "newer")])
        #expect(try await bench.bodies() == ["newer"])
    }

    @Test("What was deleted for oneself stays away, whatever comes after")
    func hidden() async throws {
        let bench = try await StoreBench()
        try await bench.receive((1...2).messages())
        try await bench.receive([Samples.message(1, hidden: true)])
        #expect(try await bench.bodies() == ["text 2"])
        try await bench.receive([Samples.message(1, change: 3, body: "edited")])
        #expect(try await bench.bodies() == ["text 2"])
        #expect(
            try await bench.count("SELECT count(*) FROM messages WHERE body IN ('text 1', 'edited')") == 0)
        #expect(try await bench.unread() == 1)
        try await bench.audit()
    }

    @Test("What was deleted for oneself before it came here is hidden when it comes")
    func hiddenBefore() async throws {
        let bench = try await StoreBench()
        let mark = HiddenMessage(conversationID: Samples.chat, messageID: Samples.messageID(2))
        _ = try await bench.store.apply(
            SyncPage(cursor: "1", hasMore: false, serverTime: Samples.noon, hiddenMessages: [mark]),
            at: bench.now)
        try await bench.receive((1...3).messages())
        #expect(try await bench.bodies() == ["text 1", "text 3"])
        #expect(try await bench.unread() == 2)
        try await bench.audit()
    }

    @Test("Two rows of one message are folded into one")
    func folds() async throws {
        let bench = try await StoreBench()
        let draft = Samples.draft(1)
        try await bench.send(draft)
        // The same id, reported first with another key: what a repaired server might do.
        try await bench.receive([
            Samples.message(1, from: Samples.anna, body: draft.body, clientMessageID: Samples.key(77))
        ])
        #expect(try await bench.content().items.count == 2)
        try await bench.receive([Samples.echo(draft, seq: 1)])
        let items = try await bench.content().items
        #expect(items.map(\.id.clientMessageID) == [draft.clientMessageID])
        #expect(items.map(\.status) == [.sent])
        #expect(try await bench.outbox().isEmpty)
        try await bench.audit()
    }

    @Test("Somebody who reuses one's own client message id changes nothing of one's message")
    func foreignKey() async throws {
        let bench = try await StoreBench()
        let draft = Samples.draft(1, "mine")
        try await bench.send(draft)
        try await bench.store.applyAck(Samples.ack(draft, seq: 1), at: bench.now)
        try await bench.receive([
            Samples.message(2, body: "not mine", clientMessageID: draft.clientMessageID)
        ])
        #expect(try await bench.bodies() == ["mine", "not mine"])
        #expect(try await bench.content().items.map(\.isMine) == [true, false])
        #expect(Set(try await bench.content().items.map(\.id)).count == 2)
    }

    @Test("A message at a place where another stands takes it: order is the server's")
    func placeTaken() async throws {
        let bench = try await StoreBench()
        try await bench.receive((1...3).messages())
        var other = Samples.message(2, change: 9, body: "restored from a backup")
        other.id = ID("019a0000-0000-7000-8000-0000000000ff")
        try await bench.receive([other])
        #expect(try await bench.bodies() == ["text 1", "restored from a backup", "text 3"])
        try await bench.audit()
    }

    // Field case 26
    @Test("A hole survives a relaunch and is shown until it is filled")
    func holePersists() async throws {
        let bench = try await StoreBench(onDisk: true)
        try await bench.receive((1...4).messages())
        let outcome = try await bench.store.apply([.message(Samples.message(7))], at: bench.now)
        #expect(outcome.standings[Samples.chat]?.need == .changes(after: 4))
        try await bench.relaunch()
        #expect(try await bench.content().holes == [SeqRange(from: 5, to: 6)])
        #expect(try await bench.store.standing(of: Samples.chat)?.need == .changes(after: 4))
        try await bench.merge(Samples.page((5...7).messages()), asked: .afterChange(4))
        #expect(try await bench.content().holes.isEmpty)
        #expect(try await bench.bodies() == (1...7).map { "text \($0)" })
        try await bench.audit()
    }

    @Test("A message for an unknown chat is kept until its record comes")
    func unknownChat() async throws {
        let bench = try await StoreBench(conversations: [])
        let outcome = try await bench.store.apply([.message(Samples.message(12))], at: bench.now)
        #expect(outcome.needsSync)
        #expect(try await bench.chats().isEmpty)
        // Field case 118: a chat that is not here (yet) is nothing, and no crash.
        #expect(try await bench.store.read { try $0.conversation(Samples.chat, limit: 20) } == nil)
        _ = try await bench.store.store(
            Samples.conversation(lastSeq: 12, version: 3, unread: 4, lastMessage: Samples.message(12)),
            at: bench.now)
        #expect(try await bench.bodies() == ["text 12"])
        #expect(try await bench.unread() == 4)
        #expect(try await bench.content().hasOlder)
        try await bench.audit()
    }

    @Test(
        "A message for an unknown chat does not make delivered what stands below it, not even beside its record"
    )
    func unknownChatBelow() async throws {
        let bench = try await StoreBench(conversations: [])
        var outcome = try await bench.store.apply([.message(Samples.message(12))], at: bench.now)
        #expect(outcome.standings[Samples.chat]?.deliverable == nil)
        // Another comes before the record, which the server had written earlier.
        outcome = try await bench.store.apply([.message(Samples.message(13))], at: bench.now)
        #expect(outcome.standings[Samples.chat]?.deliverable == nil)
        outcome = try await bench.store.store(
            Samples.conversation(
                lastSeq: 12, version: 3, unread: 4, myRead: 8, lastMessage: Samples.message(12)),
            at: bench.now)
        #expect(
            outcome.standings[Samples.chat]
                == ConversationStanding(need: .history(before: 12), deliverable: nil))
        #expect(try await bench.unread() == 5)
        outcome = try await bench.merge(
            Samples.page((8...11).messages(), hasMore: true, lastSeq: 13, lastChange: 13),
            asked: .before(seq: 12), limit: 4)
        #expect(outcome.standings[Samples.chat] == ConversationStanding(need: .nothing, deliverable: 13))
        #expect(try await bench.unread() == 5)
        try await bench.audit()
    }

    @Test("A type of a newer version is kept as it came")
    func unknownType() async throws {
        let bench = try await StoreBench()
        var message = Samples.message(1, body: "?")
        message.type = MessageType(rawValue: "hologram")
        try await bench.receive([message])
        #expect(try await bench.content().items.map(\.type.rawValue) == ["hologram"])
    }

    @Test("A refused write leaves the database as it was")
    func allOrNothing() async throws {
        let bench = try await StoreBench()
        var broken = Samples.message(3)
        broken.seq = -1
        await #expect(throws: (any Error).self) {
            _ = try await bench.store.apply([.message(Samples.message(1)), .message(broken)], at: bench.now)
        }
        #expect(try await bench.content().items.isEmpty)
        #expect(try await bench.sync().lastSeq == 0)
    }
}

// Field case 108
@Suite("The newest message in the chats list")
struct PreviewTests {
    @Test("Deleting the newest for everyone shows the one before")
    func deletedForEveryone() async throws {
        let bench = try await StoreBench()
        try await bench.receive((1...3).messages())
        #expect(try await bench.chat().preview?.body == "text 3")
        try await bench.receive([Samples.message(3, change: 4, deleted: true)])
        #expect(try await bench.chat().preview?.body == "text 2")
    }

    @Test("Deleting the newest for oneself shows the one before, at once")
    func deletedForMe() async throws {
        let bench = try await StoreBench()
        try await bench.receive((1...3).messages())
        let key = try #require(try await bench.content().items.last?.id)
        try await bench.store.delete(key, scope: .me, at: bench.now)
        #expect(try await bench.chat().preview?.body == "text 2")
        #expect(try await bench.bodies() == ["text 1", "text 2"])
    }

    @Test("Editing an old message changes neither preview nor order")
    func editedOld() async throws {
        let bench = try await StoreBench(
            conversations: [Samples.conversation(), Samples.conversation(Samples.otherChat)])
        try await bench.receive((1...3).messages())
        try await bench.receive((4...4).messages(in: Samples.otherChat))
        let before = try await bench.chats()
        try await bench.receive([Samples.message(1, change: 4, body: "edited")])
        let after = try await bench.chats()
        #expect(after.map(\.id) == before.map(\.id))
        #expect(after.map { $0.preview?.body } == ["text 4", "text 3"])
    }

    @Test("With every message deleted the chat stays, with nothing to show")
    func allDeleted() async throws {
        let bench = try await StoreBench()
        try await bench.receive((1...2).messages())
        try await bench.receive([
            Samples.message(1, change: 3, deleted: true), Samples.message(2, change: 4, deleted: true),
        ])
        #expect(try await bench.chat().preview == nil)
        #expect(try await bench.unread() == 0)
    }

    @Test("A waiting message is the newest and puts its chat on top, whatever the clock says")
    func pendingOnTop() async throws {
        let bench = try await StoreBench(
            conversations: [Samples.conversation(), Samples.conversation(Samples.otherChat)])
        try await bench.receive((100...100).messages(in: Samples.otherChat))
        bench.now = Samples.noon.advanced(by: .seconds(-9_999_999))
        try await bench.send(Samples.draft(1))
        #expect(try await bench.chats().map(\.id) == [Samples.chat, Samples.otherChat])
        #expect(try await bench.chat().preview?.status == .pending)
        try await bench.store.discard(Samples.key(1), at: bench.now)
        #expect(try await bench.chats().map(\.id) == [Samples.otherChat, Samples.chat])
    }

    @Test("Pinned chats stand first")
    func pinned() async throws {
        let bench = try await StoreBench(
            conversations: [Samples.conversation(), Samples.conversation(Samples.otherChat)])
        try await bench.receive((100...100).messages(in: Samples.otherChat))
        try await bench.store.edit(EditSettings(pinned: true), of: Samples.chat, at: bench.now)
        #expect(try await bench.chats().map(\.id) == [Samples.chat, Samples.otherChat])
    }
}
