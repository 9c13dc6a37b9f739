import ChatterModel
import Testing

@testable import ChatterClient

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
        let older = try await bench.content(limit: 50)
        #expect(older.items.map(\.seq) == (51...100).map { Int64($0) } + [nil])
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
                WHERE m.conversationID = 'c' AND m.seq >= 1 AND \(StoredMessage.isShown)
                ORDER BY m.seq DESC LIMIT 50
                """
            ) { $0.text(3) }
        }
        #expect(
            plan.contains {
                $0.contains("SEARCH m USING INDEX") && $0.contains("conversationID=? AND seq>?")
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

    @Test("A draft becomes the message in one transaction, and a message from elsewhere leaves it alone")
    func sentDraft() async throws {
        let bench = try await StoreBench(onDisk: true)
        try await bench.store.setDraft("hello", in: Samples.chat, at: bench.now)
        try await bench.store.setDraft("other", in: Samples.otherChat, at: bench.now)
        try await bench.store.insertPending(Samples.draft(1, "by a command"), at: bench.now)
        #expect(try await bench.chat().draft == "hello")
        let changes = bench.store.observe([.drafts, .messages]) { context in
            let content = try context.conversation(Samples.chat, limit: 50)
            return try [
                content?.items.last?.body, context.chats(archived: nil, now: Samples.noon).first?.draft,
            ]
        }
        var seen = changes.makeAsyncIterator()
        #expect(try await seen.next() == ["by a command", "hello"])
        try await bench.store.insertPending(Samples.draft(2, "hello"), clearsDraft: true, at: bench.now)
        #expect(try await seen.next() == ["hello", nil])
        try await bench.relaunch()
        #expect(try await bench.store.draft(in: Samples.chat) == "")
        #expect(try await bench.store.draft(in: Samples.otherChat) == "other")
    }

    @Test("A draft whose message could not be stored stays")
    func unsentDraft() async throws {
        let bench = try await StoreBench()
        try await bench.store.setDraft("hello", in: Samples.chat, at: bench.now)
        try await bench.send(Samples.draft(1, "hello"))
        // The same id again: refused as a whole.
        await #expect(throws: (any Error).self) {
            try await bench.store.insertPending(Samples.draft(1, "hello"), clearsDraft: true, at: bench.now)
        }
        #expect(try await bench.store.draft(in: Samples.chat) == "hello")
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
