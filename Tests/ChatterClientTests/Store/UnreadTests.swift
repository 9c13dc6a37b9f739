import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterClient

@Suite("What counts as unread")
struct UnreadTests {
    // Field case 41
    @Test("Deleted messages do not count, whether they were here before or not", arguments: [true, false])
    func deletedDoNotCount(wereHere: Bool) async throws {
        let bench = try await StoreBench()
        if wereHere {
            try await bench.receive((1...2).messages())
            #expect(try await bench.unread() == 2)
        }
        try await bench.receive([
            Samples.message(1, change: 3, deleted: true), Samples.message(2, change: 4, deleted: true),
        ])
        #expect(try await bench.unread() == 0)
        try await bench.audit()
    }

    // Field case 44
    @Test("After reading 111 of which 20 are loaded, one more makes one")
    func moreThanLoaded() async throws {
        let bench = try await StoreBench(
            conversations: [
                Samples.conversation(lastSeq: 111, unread: 111, lastMessage: Samples.message(111))
            ])
        #expect(try await bench.unread() == 111)
        try await bench.merge(
            Samples.page((92...111).messages(), hasMore: true, lastSeq: 111, lastChange: 111),
            asked: .newest, limit: 20)
        #expect(try await bench.unread() == 111)
        try await bench.store.markRead(Samples.chat, upTo: 111, at: bench.now)
        #expect(try await bench.unread() == 0)
        try await bench.receive((112...112).messages())
        #expect(try await bench.unread() == 1)
        try await bench.audit()
    }

    // Field case 45
    @Test("List refreshes, profiles, edits and others' receipts leave the count alone")
    func othersLeaveItAlone() async throws {
        let bench = try await StoreBench()
        try await bench.receive((1...3).messages())
        let events: [(String, StoredEvent)] = [
            ("an older record", .conversation(Samples.conversation(lastSeq: 3, version: 1, unread: 0))),
            ("a newer record", .conversation(Samples.conversation(lastSeq: 3, version: 9, unread: 0))),
            ("a profile", .user(Samples.user(Samples.ben, name: "Benjamin", version: 5))),
            ("an edit", .message(Samples.message(2, change: 4, body: "edited"))),
            (
                "the peer's receipt",
                .receipt(
                    Receipt(
                        conversationID: Samples.chat, userID: Samples.ben, lastDeliveredSeq: 3, lastReadSeq: 3
                    ))
            ),
            ("presence", .presence(Samples.friend().presence)),
            (
                "own delivery",
                .receipt(
                    Receipt(
                        conversationID: Samples.chat, userID: Samples.anna, lastDeliveredSeq: 3,
                        lastReadSeq: 0))
            ),
        ]
        for (name, event) in events {
            _ = try await bench.store.apply([event], at: bench.now)
            #expect(try await bench.unread() == 3, "\(name)")
        }
        try await bench.audit()
    }

    @Test("Reading on another device lowers the count here")
    func readElsewhere() async throws {
        let bench = try await StoreBench()
        try await bench.receive((1...4).messages())
        try await bench.apply(
            Receipt(conversationID: Samples.chat, userID: Samples.anna, lastDeliveredSeq: 3, lastReadSeq: 3))
        #expect(try await bench.unread() == 1)
        #expect(try await bench.outbox().isEmpty)
        try await bench.audit()
    }

    @Test("Nobody reads what is not here: a mark stops below the first missing message")
    func missing() async throws {
        let bench = try await StoreBench()
        try await bench.receive([1, 2, 6].map { Samples.message($0) })
        try await bench.store.markRead(Samples.chat, upTo: 6, at: bench.now)
        #expect(try await bench.content().readSeq == 2)
        #expect(try await bench.unread() == 1)
        try await bench.receive((3...5).messages())
        #expect(try await bench.unread() == 4)
        #expect(
            try await bench.store.markVisibleRead(Samples.chat, at: bench.now, quiet: .zero))
        #expect(try await bench.unread() == 0)
        let waiting = try #require(try await bench.store.outboxHeads().first)
        #expect(
            try await bench.store.claim(waiting.id) == .read(Watermark(conversationID: Samples.chat, seq: 6)))
        try await bench.audit()
    }

    @Test("The read watermark never goes back, and never above the newest message")
    func forwardOnly() async throws {
        let bench = try await StoreBench()
        try await bench.receive((1...4).messages())
        try await bench.store.markRead(Samples.chat, upTo: 3, at: bench.now)
        try await bench.store.markRead(Samples.chat, upTo: 1, at: bench.now)
        try await bench.apply(
            Receipt(conversationID: Samples.chat, userID: Samples.anna, lastDeliveredSeq: 2, lastReadSeq: 2))
        #expect(try await bench.content().readSeq == 3)
        try await bench.store.markRead(Samples.chat, upTo: 99, at: bench.now)
        #expect(try await bench.content().readSeq == 4)
        try await bench.receive((5...5).messages())
        #expect(try await bench.unread() == 1)
    }

    @Test(
        "What another device has read is read here too when it comes only afterwards",
        arguments: [true, false])
    func readBeforeItCame(relaunches: Bool) async throws {
        let bench = try await StoreBench(onDisk: relaunches)
        try await bench.receive((1...2).messages())
        // The mark overtakes the messages, which are still being fetched.
        try await bench.apply(
            Receipt(conversationID: Samples.chat, userID: Samples.anna, lastDeliveredSeq: 4, lastReadSeq: 4))
        #expect(try await bench.unread() == 0)
        if relaunches { try await bench.relaunch() }
        try await bench.receive((3...5).messages())
        #expect(try await bench.unread() == 1)
        try await bench.audit()
    }

    @Test("A read mark that an older version held down is put right with the next change")
    func heldDown() async throws {
        let bench = try await StoreBench()
        try await bench.receive((1...4).messages())
        try await bench.store.write { context in
            try context.database.run("UPDATE members SET lastDeliveredSeq = 3, lastReadSeq = 3")
        }
        try await bench.receive((5...5).messages())
        #expect(try await bench.unread() == 2)
        try await bench.audit()
    }

    @Test("What is below the loaded piece is counted by the server, and by rows once it is loaded")
    func belowFloor() async throws {
        let bench = try await StoreBench(
            conversations: [
                Samples.conversation(lastSeq: 50, unread: 12, myRead: 30, lastMessage: Samples.message(50))
            ])
        #expect(try await bench.unread() == 12)
        // Only some of the messages above the watermark are Ben's.
        let page = (31...50).map { seq in
            seq % 5 < 3
                ? Samples.message(seq)
                : Samples.message(seq, from: Samples.anna, clientMessageID: Samples.key(seq))
        }
        try await bench.merge(
            Samples.page(Array(page.suffix(10)), hasMore: true, lastSeq: 50, lastChange: 50),
            asked: .before(seq: 50), limit: 10)
        #expect(try await bench.unread() == 12)
        try await bench.merge(
            Samples.page(Array(page.prefix(10)), hasMore: true, lastSeq: 50, lastChange: 50),
            asked: .before(seq: 41), limit: 10)
        let content = try await bench.content()
        #expect(content.unreadCount == 12 && content.readSeq == 30)
        try await bench.audit()
    }

    @Test("A deletion below the loaded piece lowers the server's count once")
    func deletedBelowFloor() async throws {
        let bench = try await StoreBench(
            conversations: [
                Samples.conversation(lastSeq: 50, unread: 20, myRead: 30, lastMessage: Samples.message(50))
            ])
        let tombstone = Samples.message(40, change: 51, deleted: true)
        try await bench.receive([tombstone])
        #expect(try await bench.unread() == 19)
        try await bench.receive([tombstone])
        #expect(try await bench.unread() == 19)
        let rest = (31...49).messages().map { $0.seq == 40 ? tombstone : $0 }
        try await bench.merge(
            Samples.page(rest, hasMore: true, lastSeq: 50, lastChange: 51), asked: .before(seq: 50), limit: 19
        )
        #expect(try await bench.unread() == 19)
        try await bench.audit()
    }

    @Test("A read in the middle of what is not loaded leaves at most what is above it")
    func readBelowFloor() async throws {
        let bench = try await StoreBench(
            conversations: [Samples.conversation(lastSeq: 50, unread: 50, lastMessage: Samples.message(50))])
        try await bench.apply(
            Receipt(
                conversationID: Samples.chat, userID: Samples.anna, lastDeliveredSeq: 45, lastReadSeq: 45))
        #expect(try await bench.unread() == 5)
        // The record that follows knows exactly.
        _ = try await bench.store.store(
            Samples.conversation(lastSeq: 50, version: 2, unread: 3, myRead: 45), at: bench.now)
        #expect(try await bench.unread() == 3)
        try await bench.audit()
    }

    /// Counts are kept by each transaction; the audit counts the rows.
    @Test("Counts equal the rows after any order of events", arguments: 0..<60)
    func randomEvents(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let bench = try await StoreBench(
            conversations: [
                Samples.conversation(lastSeq: 20, unread: 8, myRead: 12, lastMessage: Samples.message(20))
            ])
        var top: Int64 = 20
        var change: Int64 = 20
        for step in 0..<40 {
            let seq = Int64.random(in: 1...top, using: &random)
            change += 1
            switch Int.random(in: 0..<9, using: &random) {
            case 0, 1:
                top += Int64.random(in: 1...2, using: &random)
                try await bench.receive([Samples.message(top, change: change)])
            case 2: try await bench.receive([Samples.message(seq, change: change, deleted: true)])
            case 3: try await bench.receive([Samples.message(seq, change: change, body: "edited")])
            case 4: try await bench.receive([Samples.message(seq, change: change, hidden: true)])
            case 5: try await bench.store.markRead(Samples.chat, upTo: seq, at: bench.now)
            case 6:
                let floor = try await bench.sync().floor
                let low = max(1, floor - 5)
                guard low < floor else { continue }
                try await bench.merge(
                    Samples.page(
                        (low...floor - 1).messages(), hasMore: low > 1, lastSeq: top, lastChange: change),
                    asked: .before(seq: floor), limit: 5)
            case 7:
                let key = try await bench.content().items.randomElement(using: &random)?.id
                if let key { try await bench.store.delete(key, scope: .me, at: bench.now) }
            default:
                top += 1
                let draft = Samples.draft(Int64(step))
                try await bench.send(draft)
                try await bench.receive([Samples.echo(draft, seq: top, change: change)])
            }
            try await bench.audit()
            if step == 39 { #expect(try await bench.unread() >= 0, "seed \(seed)") }
        }
    }
}
