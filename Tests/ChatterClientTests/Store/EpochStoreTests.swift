import ChatterModel
import Testing

@testable import ChatterClient

/// The store between the beginning of a new epoch and the agreement, where nothing may be merged and nothing lost.
@Suite("A store whose server began a new epoch")
struct EpochStoreTests {
    private let store: Store
    private let later = Samples.noon.advanced(by: .seconds(3600))

    /// Ben's messages 1 to 4 and one's own 5 are here, all of them read.
    init() async throws {
        store = try Store(path: nil, account: Samples.anna, executor: .inline)
        try await store.claimAccount()
        try await store.store(Samples.me(version: 30))
        _ = try await store.store(Samples.conversation(version: 40), at: Samples.noon)
        for message in (1...4).messages() { try await store.merge(message, at: Samples.noon) }
        try await store.merge(Samples.echo(Samples.draft(5), seq: 5), at: Samples.noon)
        try await store.markRead(Samples.chat, upTo: 5, at: Samples.noon)
    }

    private func texts() async throws -> [String] {
        try await store.read { try $0.conversation(Samples.chat, limit: 50) }?.items.map {
            "\($0.seq.map(String.init) ?? "-") \($0.body)"
        } ?? []
    }

    private let before = ["1 text 1", "2 text 2", "3 text 3", "4 text 4", "5 own 5"]

    /// The server has messages 1 to 3.
    private func record(version: Int64 = 7) -> Conversation {
        Samples.conversation(
            lastSeq: 3, version: version, unread: 1, myRead: 2, peerDelivered: 3, peerRead: 3,
            lastMessage: Samples.message(3))
    }

    private func lanes() async throws -> [String] { try await store.outboxHeads().map(\.lane) }

    @Test("Everything stays as it is shown, and nothing is sent, asked for or taken by the old numbers")
    func waiting() async throws {
        try await store.insertPending(Samples.draft(6), at: later)
        try await store.startOver(ID("second"))
        #expect(store.epoch.current == ID("second"))
        #expect(try await texts() == before + ["- own 6"])
        #expect(try await store.syncCursor() == nil)
        #expect(try await store.read { try $0.heldConversations() }.isEmpty)
        #expect(try await lanes().isEmpty)
        // Of the new epoch, at a place where another message stood.
        var other = Samples.message(4, change: 4, body: "new 4")
        other.id = ID("new")
        let outcome = try await store.apply(
            [.message(other), .ack(Samples.ack(Samples.draft(6), seq: 5))], at: later)
        #expect(outcome.settled.isEmpty)
        #expect(try await texts() == before + ["- own 6"])
        try await store.markRead(Samples.chat, upTo: 5, at: later)
        #expect(try await lanes().isEmpty)
        await store.close()
    }

    @Test("The epoch is the device's for good, and begins again as often as it is told")
    func twice() async throws {
        try await store.startOver(ID("second"))
        try await store.startOver(ID("third"))
        #expect(try await store.read { try $0.database.state(.epoch) } == "third")
        #expect(try await texts() == before)
        _ = try await store.store(record(), at: later)
        #expect(try await texts() == ["1 text 1", "2 text 2", "3 text 3", "- text 4", "- own 5"])
        await store.close()
    }

    @Test("A record that names the newest common message settles the conversation at once")
    func byRecord() async throws {
        try await store.insertPending(Samples.draft(6), at: later)
        try await store.startOver(ID("second"))
        let outcome = try await store.store(record(), at: later)
        #expect(outcome.releasedSends)
        #expect(try await texts() == ["1 text 1", "2 text 2", "3 text 3", "- text 4", "- own 5", "- own 6"])
        let sends = try await store.read { try $0.entries(in: Samples.chat.rawValue) }.map(\.action)
        #expect(sends == [.send(Samples.draft(5)), .send(Samples.draft(6))])
        let held = try await store.read { try $0.heldConversations() }
        #expect(held.map(\.held) == [SyncRequest.Held(seq: 3, change: 3)])
        // Read up to what the server has, which it is told.
        #expect(
            try await lanes().sorted()
                == [Samples.chat.rawValue, OutboxAction.readLane(Samples.chat)].sorted())
        let shown = try await store.read { try $0.conversation(Samples.chat, limit: 50) }
        #expect(shown?.readSeq == 3 && shown?.unreadCount == 0)
        await store.close()
    }

    @Test("What was heard while it waited is asked for afterwards")
    func heard() async throws {
        try await store.startOver(ID("second"))
        var other = Samples.message(4, change: 4, body: "new 4")
        other.id = ID("new")
        _ = try await store.apply([.message(other)], at: later)
        let outcome = try await store.store(record(), at: later)
        #expect(outcome.standings[Samples.chat]?.need == .changes(after: 3))
        await store.close()
    }

    @Test("A lost message that comes again takes its place once, whoever sends it")
    func comesAgain() async throws {
        try await store.startOver(ID("second"))
        _ = try await store.store(record(), at: later)
        var again = Samples.message(4, change: 4)
        again.id = ID("new 4")
        var own = Samples.echo(Samples.draft(5), seq: 5)
        own.id = ID("new 5")
        _ = try await store.apply([.message(again), .message(own)], at: later)
        #expect(try await texts() == before)
        #expect(try await store.read { try $0.entries(in: Samples.chat.rawValue) }.isEmpty)
        await store.close()
    }

    @Test("When the history has to tell, the conversation waits for it")
    func byHistory() async throws {
        try await store.startOver(ID("second"))
        var newest = Samples.message(9)
        newest.id = ID("new 9")
        let record = Samples.conversation(lastSeq: 9, version: 7, lastMessage: newest)
        let outcome = try await store.store(record, at: later)
        #expect(outcome.standings[Samples.chat]?.need == .agreement)
        #expect(try await texts() == before)
        // Also after a relaunch, when the record does not come again.
        #expect(try await store.openStandings()[Samples.chat]?.need == .agreement)
        let search = try #require(try await store.agreementSearch(of: Samples.chat))
        #expect(search.before == 6)
        let agreed = try await store.agree(
            Agreement(seq: 4, change: 4, lastSeq: 9, lastChange: 9), in: Samples.chat, at: later)
        #expect(agreed.standings[Samples.chat]?.need == .changes(after: 4))
        #expect(try await texts() == ["1 text 1", "2 text 2", "3 text 3", "4 text 4", "- own 5"])
        // Once is enough.
        let again = try await store.agree(
            Agreement(seq: 1, change: 1, lastSeq: 9, lastChange: 9), in: Samples.chat, at: later)
        #expect(again == MergeOutcome())
        await store.close()
    }

    @Test("An answer to a lost message no longer names it")
    func reply() async throws {
        var answer = Samples.draft(6)
        answer.replyToID = Samples.messageID(4)
        try await store.insertPending(answer, at: later)
        var kept = Samples.draft(7)
        kept.replyToID = Samples.messageID(2)
        try await store.insertPending(kept, at: later)
        try await store.startOver(ID("second"))
        _ = try await store.store(record(), at: later)
        let replies = try await store.read { try $0.entries(in: Samples.chat.rawValue) }.map {
            entry -> ID<Message>? in
            if case .send(let message) = entry.action { message.replyToID } else { nil }
        }
        #expect(replies == [nil, nil, Samples.messageID(2)])
        await store.close()
    }

    @Test("A deletion that the server lost stays, is told again, and is undone by nobody")
    func deletion() async throws {
        try await store.merge(
            Samples.message(1, change: 6, from: Samples.anna, deleted: true), at: Samples.noon)
        try await store.startOver(ID("second"))
        _ = try await store.store(record(), at: Samples.noon)
        let own = try await store.read { try $0.entries(in: Samples.chat.rawValue) }.compactMap {
            entry -> ID<Message>? in
            if case .deleteMessage(let deletion) = entry.action { deletion.messageID } else { nil }
        }
        #expect(own == [Samples.messageID(1)])
        try await store.merge(Samples.message(1, change: 9, from: Samples.anna), at: later)
        let item = try await store.read { try $0.conversation(Samples.chat, limit: 50) }?.items.first
        #expect(item?.isDeleted == true && item?.body == "")
        await store.close()
    }

    @Test("Records that the server does not name any more are gone once all of them came, not before")
    func sweep() async throws {
        var page = SyncPage(cursor: "p1", hasMore: false, serverTime: Samples.noon)
        page.friends = [Samples.friend(version: 50)]
        page.friendRequests = [Samples.request(from: Samples.otherUser, to: Samples.anna, version: 51)]
        page.blocks = [Block(user: Samples.user(Samples.otherUser), createdAt: Samples.noon, version: 52)]
        try await store.apply(page, at: Samples.noon)
        try await store.startOver(ID("second"))
        try await store.apply(SyncPage(cursor: "p2", hasMore: true, serverTime: later), at: later)
        #expect(try await store.read { try $0.friends().count } == 1)
        var rest = SyncPage(cursor: "p3", hasMore: false, serverTime: later)
        rest.me = Samples.me(version: 2)
        try await store.apply(rest, at: later)
        #expect(try await store.read { try $0.friends().count } == 0)
        let request = try await store.read { context in
            try context.pendingRequest(from: Samples.otherUser, to: Samples.anna)
        }
        #expect(request == nil)
        #expect(try await store.read { try $0.serverProfile() }?.version == 2)
        // Who was blocked is blocked again.
        #expect(try await lanes() == [OutboxAction.block(Samples.otherUser).lane])
        await store.close()
    }
}

extension Samples {
    static let otherUser = ID<User>("019a0000-0000-7000-8000-00000000000d")
}
