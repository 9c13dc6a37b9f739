import ChatterModel
import Testing

@testable import ChatterClient

@Suite("Records of people: the larger version holds")
struct PeopleTests {
    private func friends(_ bench: StoreBench) async throws -> [String?] {
        try await bench.store.read { try $0.friends() }.map(\.user.displayName)
    }

    private func apply(_ bench: StoreBench, _ events: StoredEvent...) async throws {
        _ = try await bench.store.apply(events, at: bench.now)
    }

    @Test("A profile never goes back")
    func profile() async throws {
        let bench = try await StoreBench()
        try await apply(bench, .user(Samples.user(Samples.ben, name: "New", version: 7)))
        try await apply(bench, .user(Samples.user(Samples.ben, name: "Old", version: 6)))
        #expect(try await bench.chat().title == "New")
    }

    @Test("A late list of friends does not bring back who was removed", arguments: [1, 5] as [Int64])
    func removedStaysRemoved(lateVersion: Int64) async throws {
        let bench = try await StoreBench()
        _ = try await bench.store.applySync(
            SyncPage(
                cursor: "1", hasMore: false, serverTime: Samples.noon, friends: [Samples.friend(version: 1)]),
            at: bench.now)
        try await apply(bench, .friendRemoved(Removed(userID: Samples.ben, version: 5)))
        _ = try await bench.store.applySync(
            SyncPage(
                cursor: "2", hasMore: false, serverTime: Samples.noon,
                friends: [Samples.friend(version: lateVersion)]),
            at: bench.now)
        #expect(try await friends(bench).isEmpty)
        let again = Samples.friend(version: 6)
        try await apply(
            bench,
            .friendship(
                FriendshipMade(
                    request: Samples.request(
                        from: Samples.ben, to: Samples.anna, status: .accepted, version: 6),
                    friend: again)))
        #expect(try await friends(bench) == ["Ben"])
    }

    @Test("A removal of somebody unknown is remembered too")
    func removedUnknown() async throws {
        let bench = try await StoreBench(conversations: [])
        try await apply(bench, .friendRemoved(Removed(userID: Samples.ben, version: 5)))
        _ = try await bench.store.applySync(
            SyncPage(
                cursor: "1", hasMore: false, serverTime: Samples.noon, friends: [Samples.friend(version: 4)]),
            at: bench.now)
        #expect(try await friends(bench).isEmpty)
    }

    @Test("A removed friend leaves the list at once, and comes back when the server refuses")
    func removing() async throws {
        let bench = try await StoreBench()
        _ = try await bench.store.applySync(
            SyncPage(cursor: "1", hasMore: false, serverTime: Samples.noon, friends: [Samples.friend()]),
            at: bench.now)
        try await bench.store.removeFriend(Samples.ben, at: bench.now)
        #expect(try await friends(bench).isEmpty)
        let head = try #require(try await bench.store.outboxHeads().first)
        try await bench.store.markFailed(head.id, FailureReason(code: "FORBIDDEN"), because: "no")
        #expect(try await friends(bench) == ["Ben"])
        try await bench.store.retryEntry(head.id, at: bench.now)
        let again = try #require(try await bench.store.outboxHeads().first)
        _ = try await bench.store.complete(again.id, with: .done, at: bench.now)
        #expect(try await friends(bench).isEmpty)
    }

    @Test("Friends stand by name, whatever its case")
    func byName() async throws {
        let bench = try await StoreBench()
        let names = ["carl", "Ben", "Ärger", "anna"]
        let friends = names.enumerated().map { index, name in
            Friend(
                user: Samples.user(ID("\(index)"), name: name), since: Samples.noon,
                presence: Presence(userID: ID("\(index)"), online: false, lastSeenAt: nil, at: Samples.noon),
                version: 1)
        }
        _ = try await bench.store.applySync(
            SyncPage(cursor: "1", hasMore: false, serverTime: Samples.noon, friends: friends), at: bench.now)
        #expect(try await self.friends(bench) == ["anna", "Ben", "carl", "Ärger"])
    }

    @Test("Only the newest word about when somebody was last seen is kept")
    func lastSeen() async throws {
        let bench = try await StoreBench()
        _ = try await bench.store.applySync(
            SyncPage(
                cursor: "1", hasMore: false, serverTime: Samples.noon,
                friends: [Samples.friend(lastSeenAt: Samples.noon)]), at: bench.now)
        for (seconds, seen) in [(20, 19), (10, 9)] as [(Int, Int)] {
            try await apply(
                bench,
                .presence(
                    Presence(
                        userID: Samples.ben, online: false,
                        lastSeenAt: Samples.noon.advanced(by: .seconds(seen)),
                        at: Samples.noon.advanced(by: .seconds(seconds)))))
        }
        let friend = try #require(try await bench.store.read { try $0.friends() }.first)
        #expect(friend.presence?.lastSeenAt == Samples.noon.advanced(by: .seconds(19)))
    }

    @Test("Requests in both directions, the queued one first, and gone when answered")
    func requests() async throws {
        let bench = try await StoreBench()
        let carl = Samples.user(ID("019a0000-0000-7000-8000-00000000000d"), name: "Carl")
        try await apply(bench, .request(Samples.request(from: Samples.ben, to: Samples.anna)))
        bench.now = bench.now.advanced(by: .seconds(60))
        try await bench.store.sendFriendRequest(to: carl, at: bench.now)
        var items = try await bench.store.read { try $0.requests() }
        #expect(items.map(\.user.displayName) == ["Carl", "Ben"])
        #expect(items.map(\.direction) == [.outgoing, .incoming])
        #expect(items.map(\.isQueued) == [true, false])

        try await bench.store.declineFriendRequest(from: Samples.ben, at: bench.now)
        try await bench.store.cancelFriendRequest(to: carl.id, at: bench.now)
        #expect(try await bench.store.read { try $0.requests() }.isEmpty)
        let decline = try #require(try await bench.store.outboxHeads().first)
        _ = try await bench.store.claim(decline.id)
        _ = try await bench.store.complete(decline.id, with: .done, at: bench.now)
        items = try await bench.store.read { try $0.requests() }
        #expect(items.isEmpty)
    }

    @Test("An accepted request waits visibly until the server has it")
    func accepting() async throws {
        let bench = try await StoreBench()
        let request = Samples.request(from: Samples.ben, to: Samples.anna)
        try await apply(bench, .request(request))
        try await bench.store.acceptFriendRequest(from: Samples.ben, at: bench.now)
        #expect(try await bench.store.read { try $0.requests() }.map(\.isQueued) == [true])
        let head = try #require(try await bench.store.outboxHeads().first)
        #expect(try await bench.store.claim(head.id) == .acceptFriendRequest(request.id))
        _ = try await bench.store.complete(head.id, with: .friend(Samples.friend(version: 3)), at: bench.now)
        #expect(try await bench.store.read { try $0.requests() }.isEmpty)
        #expect(try await friends(bench) == ["Ben"])
    }

    @Test("A request that was answered elsewhere leaves the list, and an old record does not bring it back")
    func answeredElsewhere() async throws {
        let bench = try await StoreBench()
        try await apply(bench, .request(Samples.request(from: Samples.ben, to: Samples.anna, version: 2)))
        try await apply(
            bench,
            .request(Samples.request(from: Samples.ben, to: Samples.anna, status: .declined, version: 4)))
        try await apply(bench, .request(Samples.request(from: Samples.ben, to: Samples.anna, version: 2)))
        #expect(try await bench.store.read { try $0.requests() }.isEmpty)
    }

    @Test("Blocks are shown at once, by the newest wish, and confirmed by the server")
    func blocks() async throws {
        let bench = try await StoreBench()
        func blocked() async throws -> [ID<User>] {
            try await bench.store.read { try $0.blocked() }.map(\.id)
        }
        try await bench.store.block(Samples.ben, at: bench.now)
        #expect(try await blocked() == [Samples.ben])
        #expect(try await bench.content().header.composer == .blocked)
        let head = try #require(try await bench.store.outboxHeads().first)
        _ = try await bench.store.claim(head.id)
        _ = try await bench.store.complete(
            head.id, with: .block(Block(user: Samples.user(Samples.ben), createdAt: bench.now, version: 4)),
            at: bench.now)
        #expect(try await blocked() == [Samples.ben])
        try await bench.store.unblock(Samples.ben, at: bench.now)
        #expect(try await blocked().isEmpty)
        let page = SyncPage(
            cursor: "1", hasMore: false, serverTime: Samples.noon,
            removedBlocks: [Removed(userID: Samples.ben, version: 6)])
        _ = try await bench.store.applySync(page, at: bench.now)
        #expect(try await blocked().isEmpty)
    }

    // Field case 99
    @Test("Somebody who deleted the account leaves the friends; the chat stays, readable and closed")
    func deletedAccount() async throws {
        let bench = try await StoreBench()
        _ = try await bench.store.applySync(
            SyncPage(cursor: "1", hasMore: false, serverTime: Samples.noon, friends: [Samples.friend()]),
            at: bench.now)
        try await bench.receive((1...2).messages())
        try await bench.send(Samples.draft(1))
        try await apply(bench, .user(Samples.user(Samples.ben, version: 9, isDeleted: true)))
        #expect(try await friends(bench).isEmpty)
        var content = try await bench.content()
        #expect(content.header.composer == .peerDeleted)
        #expect(content.header.title == "Ben")
        #expect(content.header.peer?.isDeleted == true)
        #expect(content.items.map(\.body) == ["text 1", "text 2", "own 1"])
        let head = try #require(try await bench.store.outboxHeads().first)
        try await bench.store.markFailed(head.id, FailureReason(code: "USER_DELETED"), because: "gone")
        content = try await bench.content()
        #expect(content.items.last?.status == .failed(FailureReason(code: "USER_DELETED")))
    }

    @Test("Who is no friend can be read and not written to")
    func notFriends() async throws {
        let bench = try await StoreBench()
        #expect(try await bench.content().header.composer == .notFriends)
        _ = try await bench.store.applySync(
            SyncPage(cursor: "1", hasMore: false, serverTime: Samples.noon, friends: [Samples.friend()]),
            at: bench.now)
        #expect(try await bench.content().header.composer == .open)
    }

    @Test("One's own profile keeps the larger version")
    func ownProfile() async throws {
        let bench = try await StoreBench()
        var newer = Samples.me(version: 8)
        newer.about = "new"
        try await bench.store.store(newer)
        try await bench.store.store(Samples.me(version: 3))
        #expect(try await bench.store.read { try $0.profile()?.about } == "new")
    }
}

@Suite("Records of conversations")
struct ConversationRecordTests {
    @Test("A record met for the first time says how far the server is, and loads nothing")
    func adopted() async throws {
        let bench = try await StoreBench(
            conversations: [
                Samples.conversation(
                    lastSeq: 500, lastChange: 620, unread: 3, myRead: 497,
                    lastMessage: Samples.message(500, change: 610))
            ])
        let sync = try await bench.sync()
        #expect(sync.held == SyncRequest.Held(seq: 500, change: 620))
        #expect(sync.floor == 500)
        #expect(try await bench.unread() == 3)
        #expect(try await bench.content().hasOlder)
    }

    @Test("An older record changes neither title nor settings, and no watermark goes back")
    func olderRecord() async throws {
        let bench = try await StoreBench(
            conversations: [
                Samples.conversation(
                    lastSeq: 5, version: 8, peerDelivered: 5, peerRead: 4,
                    settings: ConversationSettings(pinned: true))
            ])
        _ = try await bench.store.store(
            Samples.conversation(lastSeq: 3, version: 2, peerDelivered: 2), at: bench.now)
        let watermarks = try await bench.store.read { try $0.watermarks(in: Samples.chat) }
        #expect(watermarks.others == [Watermarks.Member(delivered: 5, read: 4)])
        #expect(try await bench.chat().isPinned)
        #expect(try await bench.sync().lastSeq == 5)
    }

    @Test("An older record with newer watermarks still moves them")
    func olderRecordMoves() async throws {
        let bench = try await StoreBench(conversations: [Samples.conversation(lastSeq: 5, version: 8)])
        _ = try await bench.store.store(
            Samples.conversation(lastSeq: 5, version: 2, peerDelivered: 4, peerRead: 3), at: bench.now)
        let watermarks = try await bench.store.read { try $0.watermarks(in: Samples.chat) }
        #expect(watermarks.others == [Watermarks.Member(delivered: 4, read: 3)])
    }

    @Test("A record that is ahead asks for what is missing")
    func ahead() async throws {
        let bench = try await StoreBench()
        let outcome = try await bench.store.store(
            Samples.conversation(lastSeq: 9, version: 3, lastMessage: Samples.message(9)), at: bench.now)
        #expect(outcome.standings[Samples.chat]?.need == .changes(after: 0))
        #expect(try await bench.content().holes == [SeqRange(from: 1, to: 8)])
    }

    @Test("The cursor is there with its records or not at all")
    func cursorWithRecords() async throws {
        let bench = try await StoreBench()
        var broken = Samples.conversation(lastSeq: 3, version: 4)
        broken.lastMessage = Samples.message(3)
        broken.lastMessage?.seq = -3
        let page = SyncPage(
            cursor: "next", hasMore: false, serverTime: Samples.noon, friends: [Samples.friend()],
            conversations: [broken])
        await #expect(throws: (any Error).self) { _ = try await bench.store.applySync(page, at: bench.now) }
        #expect(try await bench.store.syncCursor() == nil)
        #expect(try await bench.store.read { try $0.friends() }.isEmpty)
        var whole = page
        whole.conversations = []
        _ = try await bench.store.applySync(whole, at: bench.now)
        #expect(try await bench.store.syncCursor() == "next")
    }

    @Test("A conversation that the server does not know any more leaves the list and keeps its messages")
    func gone() async throws {
        let bench = try await StoreBench()
        try await bench.receive((1...2).messages())
        let asked = [Samples.chat: SyncRequest.Held(seq: 2, change: 2)]
        _ = try await bench.store.apply(
            [.completed(SyncComplete(conversations: [:]), asked: asked, isWhole: true)], at: bench.now)
        #expect(try await bench.chats().isEmpty)
        #expect(try await bench.content().header.composer == .gone)
        #expect(try await bench.content().items.count == 2)
        _ = try await bench.store.store(Samples.conversation(lastSeq: 2, version: 9), at: bench.now)
        #expect(try await bench.chats().count == 1)
    }

    @Test("The direct chat with somebody is found without the server")
    func direct() async throws {
        let bench = try await StoreBench()
        #expect(try await bench.store.read { try $0.directConversation(with: Samples.ben) } == Samples.chat)
        #expect(try await bench.store.read { try $0.directConversation(with: Samples.anna) } == nil)
    }

    @Test("Messages that never reach a blocker keep one tick, those after do not")
    func undelivered() async throws {
        let bench = try await StoreBench(
            conversations: [
                Samples.conversation(
                    lastSeq: 3, myRead: 3, peerDelivered: 3, peerRead: 3,
                    undelivered: [SeqRange(from: 2, to: 2)])
            ])
        let own = (Int64(1)...3).map { Samples.echo(Samples.draft($0), seq: $0) }
        try await bench.merge(Samples.page(own), asked: .newest)
        #expect(try await bench.content().items.map(\.status) == [.read, .sent, .read])
    }
}

// Field case 46
@Suite("Ticks in a group")
struct WatermarksTests {
    @Test("Delivered and read mean everybody who was there")
    func group() {
        func status(_ members: [Watermarks.Member]) -> DeliveryStatus {
            Watermarks(others: members).status(of: 10)
        }
        let reads: [Int64] = [10, 12, 9]
        let members = reads.map { Watermarks.Member(delivered: 12, read: $0) }
        #expect(status(members) == .delivered)
        let left = Array(members.prefix(2))
        #expect(status(left) == .read)
        let joined = left + [Watermarks.Member(delivered: 0, read: 0, joined: 13)]
        #expect(status(joined) == .read)
        #expect(status(members + [Watermarks.Member(delivered: 9, read: 9)]) == .sent)
        #expect(status([]) == .sent)
    }
}

@Suite("A conversation's window")
struct WindowTests {
    @Test("The newest messages, then what waits; older pages below")
    func window() async throws {
        let bench = try await StoreBench()
        try await bench.receive((1...100).messages())
        try await bench.send(Samples.draft(1))
        let content = try await bench.content(limit: 20)
        #expect(content.items.map(\.seq) == (81...100).map { Int64($0) } + [nil])
        #expect(content.hasOlder)
        let older = try await bench.store.read { try $0.olderPage(in: Samples.chat, below: 81, limit: 30) }
        #expect(older.map(\.seq) == (51...80).map { Int64($0) })
        #expect(try await bench.content(limit: 200).hasOlder == false)
    }

    @Test("What stands below a piece that was never loaded is not shown as if it followed")
    func strays() async throws {
        let bench = try await StoreBench(
            conversations: [Samples.conversation(lastSeq: 100, lastMessage: Samples.message(100))])
        try await bench.receive([Samples.message(40, change: 101, body: "edited")])
        #expect(try await bench.content().items.map(\.seq) == [100])
        try await bench.merge(
            Samples.page((30...99).messages(), hasMore: true, lastSeq: 100, lastChange: 101),
            asked: .before(seq: 100),
            limit: 70)
        let items = try await bench.content().items
        #expect(items.map(\.seq) == (30...100).map { Int64($0) })
        #expect(items[10].body == "edited")
    }

    @Test("Only the holes of the window are told")
    func holes() async throws {
        let bench = try await StoreBench()
        try await bench.receive((1...10).messages())
        try await bench.receive((15...40).messages())
        try await bench.receive((43...60).messages())
        #expect(try await bench.content(limit: 20).holes == [SeqRange(from: 41, to: 42)])
        #expect(
            try await bench.content(limit: 100).holes == [
                SeqRange(from: 11, to: 14), SeqRange(from: 41, to: 42),
            ])
    }

    @Test("The first page of a long chat is read through the index, without counting history")
    func usesIndex() async throws {
        let bench = try await StoreBench()
        let plan = try await bench.store.read { context in
            try context.database.all(
                """
                EXPLAIN QUERY PLAN SELECT \(StoredMessage.columns) FROM \(StoredMessage.source)
                WHERE m.conversationID = 'c' AND m.seq >= 1 AND m.seq < 9 AND \(StoredMessage.isShown)
                ORDER BY m.seq DESC LIMIT 50
                """
            ) { $0.text(3) }
        }
        #expect(
            plan.contains {
                $0.contains("SEARCH m USING INDEX") && $0.contains("conversationID=? AND seq>? AND seq<?")
            })
        #expect(!plan.contains { $0.contains("SCAN") || $0.contains("TEMP B-TREE") })
    }

    @Test("Queries of the lists never scan the messages")
    func listsUseIndexes() async throws {
        let bench = try await StoreBench()
        let statements = [
            "SELECT localID FROM messages WHERE conversationID = 'c' AND seq IS NULL AND hidden = 0 ORDER BY localID DESC LIMIT 1",
            "SELECT localID FROM messages WHERE conversationID = 'c' AND seq IS NOT NULL AND hidden = 0 ORDER BY seq DESC LIMIT 1",
            "SELECT 1 FROM messages WHERE clientMessageID = 'k' AND isMine = 1",
            "SELECT 1 FROM messages WHERE id = 'i' OR (clientMessageID = 'k' AND isMine = 1 AND 1) OR (conversationID = 'c' AND seq = 4)",
        ]
        for statement in statements {
            let plan = try await bench.store.read { context in
                try context.database.all("EXPLAIN QUERY PLAN \(statement)") { $0.text(3) }
            }
            #expect(
                !plan.contains { $0.hasPrefix("SCAN messages") || $0.contains("TEMP B-TREE") },
                "\(statement): \(plan)")
        }
    }

    @Test("Drafts are kept for each chat and through relaunches")
    func drafts() async throws {
        let bench = try await StoreBench(onDisk: true)
        try await bench.store.setDraft("half a sent", in: Samples.chat, at: bench.now)
        try await bench.store.setDraft("other", in: Samples.otherChat, at: bench.now)
        try await bench.relaunch()
        #expect(try await bench.store.draft(in: Samples.chat) == "half a sent")
        #expect(try await bench.chat().draft == "half a sent")
        try await bench.store.setDraft("", in: Samples.chat, at: bench.now)
        #expect(try await bench.store.draft(in: Samples.chat) == "")
        #expect(try await bench.store.draft(in: Samples.otherChat) == "other")
    }

    @Test("An observed list tells each change once")
    func observes() async throws {
        let bench = try await StoreBench()
        var seen: [Int] = []
        let (store, now) = (bench.store, bench.now)
        for try await chats in store.observe(
            ReadContext.chatTables, { try $0.chats(archived: nil, now: now) })
        {
            seen.append(chats.first?.unreadCount ?? -1)
            if seen.count == 3 { break }
            try await bench.receive([Samples.message(Int64(seen.count))])
        }
        #expect(seen == [0, 1, 2])
    }
}
