import ChatterModel
import SQLite
import Testing

@testable import ChatterClient

@Suite("A message on its way out")
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
        #expect(try await bench.outbox().isEmpty)
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

    // Field case 36
    @Test("A clock set back between two messages does not swap them")
    func clockSetBack() async throws {
        let bench = try await StoreBench()
        try await bench.send(Samples.draft(1, "first"))
        bench.now = bench.now.advanced(by: .seconds(-86_400))
        try await bench.send(Samples.draft(2, "second"))
        #expect(try await bench.bodies() == ["first", "second"])
        let heads = try await bench.store.outboxHeads()
        #expect(heads.map(\.kind) == [.send])
        let call = try await bench.store.claim(try #require(heads.first).id)
        #expect(call == .send(Samples.draft(1, "first")))
    }

    // Field case 34
    @Test(
        "Whatever the device's clock says, order is the server's and so are the times",
        arguments: [420, 0, -10_800])
    func wrongClock(secondsOff: Int) async throws {
        let bench = try await StoreBench()
        var expected: [String] = []
        for round in Int64(0)..<15 {
            bench.now = Samples.noon.advanced(by: .seconds(Int(round) + secondsOff))
            let theirs = Samples.message(round * 2 + 1)
            let draft = Samples.draft(round)
            try await bench.send(draft)
            try await bench.receive([theirs])
            if round < 13 {
                try await bench.store.applyAck(Samples.ack(draft, seq: round * 2 + 2), at: bench.now)
            }
            expected.append(theirs.body)
            if round < 13 { expected.append(draft.body) }
        }
        let items = try await bench.content().items
        #expect(items.map(\.body) == expected + ["own 13", "own 14"])
        let confirmed = items.filter { $0.seq != nil }
        #expect(confirmed.allSatisfy { $0.createdAt == Samples.noon.advanced(by: .seconds($0.seq ?? 0)) })
    }

    // Field case 21
    @Test("A message belongs to the chat it was written in, however late it is stored")
    func belongsToItsChat() async throws {
        let bench = try await StoreBench(
            conversations: [Samples.conversation(), Samples.conversation(Samples.otherChat)])
        let store = bench.store
        let (now, inA, inB) = (
            bench.now, Samples.draft(1, "for A"), Samples.draft(2, "for B", in: Samples.otherChat)
        )
        async let first: Void = store.insertPending(inA, at: now)
        async let second: Void = store.insertPending(inB, at: now)
        _ = try await (first, second)
        #expect(try await bench.bodies(Samples.chat) == ["for A"])
        #expect(try await bench.bodies(Samples.otherChat) == ["for B"])
        for head in try await bench.store.outboxHeads() {
            let call = try await bench.store.claim(head.id)
            #expect(call == .send(head.lane == Samples.chat.rawValue ? inA : inB))
        }
    }

    @Test("A message to an unknown chat is refused and leaves nothing behind")
    func unknownChat() async throws {
        let bench = try await StoreBench(conversations: [])
        await #expect(throws: StoreError.noSuchConversation) { try await bench.send(Samples.draft(1)) }
        #expect(try await bench.outbox().isEmpty)
        #expect(try await bench.count("SELECT count(*) FROM messages") == 0)
    }

    @Test("The same message cannot be queued twice")
    func twice() async throws {
        let bench = try await StoreBench()
        try await bench.send(Samples.draft(1))
        await #expect(throws: SQLiteError.self) { try await bench.send(Samples.draft(1)) }
        #expect(try await bench.outbox().count == 1)
        #expect(try await bench.content().items.count == 1)
    }

    // Field case 9
    @Test("Pages that do not hold the waiting messages leave them where they are")
    func pagesKeepPending() async throws {
        let bench = try await StoreBench(onDisk: true)
        for number in Int64(1)...5 { try await bench.send(Samples.draft(number)) }
        try await bench.relaunch()
        try await bench.relaunch()
        let waiting = (1...5).map { "own \($0)" }
        #expect(try await bench.bodies() == waiting)
        let page = Samples.page((1...3).messages())
        try await bench.merge(page, asked: .newest)
        #expect(try await bench.bodies() == ["text 1", "text 2", "text 3"] + waiting)
        try await bench.merge(page, asked: .afterChange(0))
        _ = try await bench.store.store(Samples.conversation(lastSeq: 3, version: 9), at: bench.now)
        #expect(try await bench.bodies() == ["text 1", "text 2", "text 3"] + waiting)
        try await bench.audit()
    }

    // Field case 17
    @Test("A jump in history keeps the cached window and the waiting message in every snapshot")
    func historyJump() async throws {
        let bench = try await StoreBench()
        try await bench.receive((1...30).messages())
        try await bench.send(Samples.draft(1))
        let before = try await bench.content().items.count
        // The server continues far above: "resync from 500".
        let jump = Samples.page((500...520).messages(), hasMore: true, lastSeq: 520, lastChange: 520)
        try await bench.merge(jump, asked: .newest)
        var content = try await bench.content()
        #expect(content.items.count == before + 21)
        #expect(content.holes == [SeqRange(from: 31, to: 499)])
        #expect(content.items.last?.status == .pending)
        try await bench.merge(
            Samples.page((31...499).messages(), lastSeq: 520, lastChange: 520), asked: .afterChange(30),
            limit: 1000)
        content = try await bench.content(limit: 1000)
        #expect(content.items.count == before + 490)
        #expect(content.holes.isEmpty)
        try await bench.audit()
    }

    // Field case 39
    @Test("Own messages are never unread, and say nothing about what stands above them")
    func ownMessages() async throws {
        let bench = try await StoreBench()
        try await bench.receive((1...3).messages())
        let (first, second) = (Samples.draft(1), Samples.draft(2))
        try await bench.send(first)
        try await bench.send(second)
        try await bench.store.applyAck(Samples.ack(first, seq: 4), at: bench.now)
        try await bench.receive([Samples.echo(second, seq: 5)])
        let content = try await bench.content()
        #expect(content.unreadCount == 3)
        #expect(content.readSeq == 0)
        #expect(try await bench.outbox().isEmpty)
        try await bench.store.markRead(Samples.chat, upTo: 3, at: bench.now)
        #expect(try await bench.unread() == 0)
        try await bench.audit()
    }

    @Test("What was read on screen leaves before the answer, without waiting for more to read")
    func readThenAnswer() async throws {
        let bench = try await StoreBench(conversations: [
            Samples.conversation(), Samples.conversation(Samples.otherChat),
        ])
        for chat in [Samples.chat, Samples.otherChat] {
            try await bench.receive((1...3).messages(in: chat))
            #expect(
                try await bench.store.markVisibleRead(
                    chat, at: bench.now, quiet: ReceiptScheduler.quiet))
        }
        try await bench.send(Samples.draft(1))
        let due = try await bench.store.outboxHeads().filter { $0.nextAttemptAt == nil }
        #expect(due.map(\.kind) == [.read, .send])
        #expect(
            try await bench.store.claim(try #require(due.first).id)
                == .read(Watermark(conversationID: Samples.chat, seq: 3)))
    }

    @Test("An answer does not hurry a receipt that the server itself has asked to wait")
    func heldReceipt() async throws {
        let bench = try await StoreBench()
        try await bench.receive((1...3).messages())
        try await bench.store.markRead(Samples.chat, upTo: 3, at: bench.now)
        let read = try #require(try await bench.store.outboxHeads().first)
        let later = bench.now.advanced(by: .seconds(60))
        try await bench.store.postpone(
            read.id, until: later, isHeld: true, faults: 0, because: "rate limited")
        try await bench.send(Samples.draft(1))
        #expect(try await bench.store.outboxHeads().map(\.nextAttemptAt) == [later, nil])
    }

    // Field case 78
    @Test(
        "Text of the largest size is kept byte for byte and limited by visible characters, as on the server")
    func textLimits() async throws {
        let family = "👨‍👩‍👧‍👦"
        for unit in ["a", family, "🇸🇬", "e\u{301}", "𝔘"] {
            let most = String(repeating: unit, count: Limits.messageCharacters)
            if most.utf8.count <= Limits.messageBytes {
                try MessageText.check(most)
                let bench = try await StoreBench()
                try await bench.send(Samples.draft(1, most))
                let body = try #require(try await bench.bodies().first)
                #expect(Array(body.utf8) == Array(most.utf8))
            }
            #expect(throws: APIError.self) { try MessageText.check(most + unit) }
        }
    }
}

// Field case 7
@Suite("The process dies while a message is sent")
struct CrashTests {
    enum Point: CaseIterable {
        case beforeCommit, afterCommit, afterSocketWrite, afterServerStore, afterAckReceived,
            afterAckCommitted
    }

    @Test("It is absent or sent exactly once, and the next one stands above it", arguments: Point.allCases)
    func crash(at point: Point) async throws {
        let bench = try await StoreBench(onDisk: true)
        var server = ServerModel()
        let first = Samples.draft(1)
        if point == .beforeCommit {
            try await dieBeforeCommit(first, bench)
        } else {
            try await bench.send(first)
        }
        if point.rank >= Point.afterSocketWrite.rank {
            let head = try #require(try await bench.store.outboxHeads().first)
            #expect(try await bench.store.claim(head.id) == .send(first))
        }
        if point.rank >= Point.afterServerStore.rank { _ = server.send(first) }
        if point == .afterAckCommitted { try await bench.store.applyAck(server.send(first), at: bench.now) }
        try await bench.relaunch()

        let second = Samples.draft(2)
        try await bench.send(second)
        try await sendAll(bench, &server)
        let bodies = try await bench.bodies()
        #expect(bodies == (point == .beforeCommit ? [second.body] : [first.body, second.body]))
        #expect(try await bench.content().items.allSatisfy { $0.status == .sent })
        #expect(server[Samples.chat].messages.map(\.body) == bodies)
        #expect(try await bench.outbox().isEmpty)
        try await bench.audit()
    }

    /// Writes as `insertPending` does, then the connection is gone before the commit.
    private func dieBeforeCommit(_ draft: SendMessage, _ bench: StoreBench) async throws {
        struct Killed: Error {}
        let now = bench.now
        await #expect(throws: Killed.self) {
            try await bench.store.write { context in
                try context.append(.send(draft), at: now)
                throw Killed()
            }
        }
    }

    private func sendAll(_ bench: StoreBench, _ server: inout ServerModel) async throws {
        while let head = try await bench.store.outboxHeads().first {
            guard case .send(let draft)? = try await bench.store.claim(head.id) else { return }
            try await bench.store.applyAck(server.send(draft), at: bench.now)
        }
    }
}

extension CrashTests.Point {
    fileprivate var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
