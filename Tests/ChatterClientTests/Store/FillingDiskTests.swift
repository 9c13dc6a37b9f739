import ChatterModel
import SQLite
import Testing

@testable import ChatterClient

@Suite("A disk that fills up in the middle")
struct FillingDiskTests {
    /// What may be under way when there is no room any more. Each needs several pages.
    enum Work: CaseIterable {
        case events, page, sync, send, records

        func run(on store: Store) async throws {
            let now = Samples.noon
            let text = String(repeating: "x", count: 3000)
            switch self {
            case .events:
                let messages = (11...60).map { Samples.message($0, body: text) }
                _ = try await store.apply(messages.map { .message($0) }, at: now)
            case .page:
                let messages = (11...60).map { Samples.message($0, body: text) }
                _ = try await store.merge(
                    Samples.page(messages), in: Samples.chat, asked: .afterChange(10), limit: 100, at: now)
            case .sync:
                let friends = (0..<300).map { number in
                    Samples.friend(ID("019a0000-0000-7000-8000-" + String(number).leftPadded(12)))
                }
                let page = SyncPage(
                    cursor: "next", hasMore: false, serverTime: now, friends: friends,
                    conversations: [
                        Samples.conversation(
                            lastSeq: 90, version: 9, lastMessage: Samples.message(90, body: text))
                    ])
                _ = try await store.applySync(page, at: now)
            case .send:
                try await store.insertPending(
                    Samples.draft(2, String(repeating: text, count: 20)), at: now)
            case .records:
                let conversations = (0..<200).map { number -> Conversation in
                    let id = ID<Conversation>("019a0000-0000-7000-8000-" + String(number).leftPadded(12))
                    return Samples.conversation(id, lastSeq: 1, lastMessage: Samples.message(1, in: id))
                }
                _ = try await store.apply(conversations.map { .conversation($0) }, at: now)
            }
        }
    }

    private func setRoom(_ pages: Int?, _ bench: StoreBench) async throws {
        try await bench.store.write { context in
            let used = try context.database.first("PRAGMA page_count") { $0.int(0) } ?? 0
            let limit = pages.map { used + $0 } ?? 1_000_000
            _ = try context.database.first("PRAGMA max_page_count = \(limit)") { $0.int(0) }
        }
    }

    private func contents(_ bench: StoreBench) async throws -> [String] {
        try await bench.store.read { try $0.database.contents() }
    }

    @Test(
        "Nothing is half stored, wherever it stops; with room again the same work goes through",
        arguments: Work.allCases)
    func allOrNothing(work: Work) async throws {
        let bench = try await StoreBench(onDisk: true)
        try await bench.receive((1...10).messages())
        try await bench.send(Samples.draft(1))
        try await bench.store.setDraft("half a sentence", in: Samples.chat, at: bench.now)
        let before = try await contents(bench)
        for room in 0..<8 {
            try await setRoom(room, bench)
            let error = await #expect(throws: SQLiteError.self) { try await work.run(on: bench.store) }
            #expect(error?.isFull == true, "\(work), room \(room)")
            #expect(try await contents(bench) == before, "\(work), room \(room)")
        }
        try await bench.audit()
        // The app is ended and started on the full disk: what waits is still there.
        try await bench.relaunch()
        #expect(try await contents(bench) == before)
        try await setRoom(nil, bench)
        try await work.run(on: bench.store)
        #expect(try await contents(bench) != before)
        try await bench.audit()
    }

    @Test("A receipt, a setting and an ack that find no room are made later, once")
    func smallWrites() async throws {
        let bench = try await StoreBench(onDisk: true)
        try await bench.receive((1...10).messages())
        try await bench.send(Samples.draft(1))
        let before = try await contents(bench)
        // As the system reports it, whatever the statement.
        try await bench.store.write { context in
            try context.database.execute(
                script: """
                    CREATE TRIGGER fullOutbox BEFORE INSERT ON outbox BEGIN SELECT RAISE(ABORT, 'full'); END;
                    CREATE TRIGGER fullEntry BEFORE DELETE ON outbox BEGIN SELECT RAISE(ABORT, 'full'); END;
                    """)
        }
        let (store, now) = (bench.store, bench.now)
        let ack = Samples.ack(Samples.draft(1), seq: 11)
        await #expect(throws: SQLiteError.self) { try await store.markRead(Samples.chat, upTo: 4, at: now) }
        await #expect(throws: SQLiteError.self) {
            try await store.edit(EditSettings(pinned: true), of: Samples.chat, at: now)
        }
        await #expect(throws: SQLiteError.self) { try await store.applyAck(ack, at: now) }
        #expect(try await contents(bench) == before)
        try await store.write {
            try $0.database.execute(script: "DROP TRIGGER fullOutbox; DROP TRIGGER fullEntry")
        }
        try await store.markRead(Samples.chat, upTo: 4, at: now)
        #expect(try await store.applyAck(ack, at: now))
        #expect(try await bench.unread() == 6)
        #expect(try await bench.outbox().map(\.kind) == ["receipt.read"])
        try await bench.audit()
    }
}
