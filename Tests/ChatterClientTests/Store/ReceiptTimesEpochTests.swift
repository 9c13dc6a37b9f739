import ChatterModel
import ChatterTestSupport
import SQLite
import Testing

@testable import ChatterClient

@Suite("Times of delivery and reading through restores and upgrades")
struct ReceiptTimesEpochTests {
    private let store: Store

    /// One's own messages 1 to 4, delivered at 1 and read at 2 minutes past noon.
    init() async throws {
        store = try Store(path: nil, account: Samples.anna, executor: .inline)
        try await store.claimAccount()
        try await store.store(Samples.me(version: 30))
        _ = try await store.store(Samples.conversation(version: 40), at: Samples.noon)
        for seq in Int64(1)...4 {
            try await store.merge(Samples.echo(Samples.draft(seq), seq: seq), at: Samples.noon)
        }
        _ = try await store.apply([.receipt(receipt(4, delivered: 1, read: 2))], at: Samples.noon)
    }

    private func time(_ minute: Int64) -> Timestamp { Samples.noon.advanced(by: .seconds(minute * 60)) }

    private func receipt(_ seq: Int64, delivered: Int64, read: Int64) -> Receipt {
        Receipt(
            conversationID: Samples.chat, userID: Samples.ben, lastDeliveredSeq: seq, lastReadSeq: seq,
            deliveredAt: time(delivered), readAt: time(read))
    }

    private func times(_ store: Store) async throws -> [String] {
        let items = try await store.read { try $0.conversation(Samples.chat, limit: 50) }?.items ?? []
        return items.map { item in
            let minutes = [item.deliveredAt, item.readAt].map { time in
                time.map { "\(($0.milliseconds - Samples.noon.milliseconds) / 60_000)" } ?? "-"
            }
            return "\(item.body): \(minutes.joined(separator: " "))"
        }
    }

    /// The server has messages 1 to 2 again, of which the first was delivered.
    private func restored() -> Conversation {
        var record = Samples.conversation(
            lastSeq: 2, version: 7, peerDelivered: 1,
            lastMessage: Samples.echo(Samples.draft(2), seq: 2))
        record.members[1].deliveredAt = time(1)
        return record
    }

    @Test("What the server kept keeps its times; what is sent again is delivered and read anew")
    func restore() async throws {
        #expect(try await times(store) == ["own 1: 1 2", "own 2: 1 2", "own 3: 1 2", "own 4: 1 2"])
        try await store.startOver(ID("second"))
        _ = try await store.store(restored(), at: Samples.noon)
        // Shown as far as the server has come again; 3 and 4 wait.
        #expect(try await times(store) == ["own 1: 1 -", "own 2: - -", "own 3: - -", "own 4: - -"])
        for seq in Int64(3)...4 {
            _ = try await store.apply([.ack(Samples.ack(Samples.draft(seq), seq: seq))], at: Samples.noon)
        }
        _ = try await store.apply([.receipt(receipt(4, delivered: 60, read: 61))], at: Samples.noon)
        #expect(try await times(store) == ["own 1: 1 2", "own 2: 1 2", "own 3: 60 61", "own 4: 60 61"])
        await store.close()
    }

    @Test("Receipts that come before the agreement give no time to messages of the former epoch")
    func tooEarly() async throws {
        try await store.startOver(ID("second"))
        _ = try await store.apply([.receipt(receipt(4, delivered: 60, read: 61))], at: Samples.noon)
        _ = try await store.store(restored(), at: Samples.noon)
        #expect(try await times(store).suffix(2) == ["own 3: - -", "own 4: - -"])
        await store.close()
    }

    @Test("A file of before knows no times: what was passed stays without, what comes has them")
    func upgrade() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("chatter.db").path
        var store = try Store(path: path, account: Samples.anna, executor: .inline)
        try await store.store(Samples.me())
        _ = try await store.store(Samples.conversation(), at: Samples.noon)
        for seq in Int64(1)...2 {
            try await store.merge(Samples.echo(Samples.draft(seq), seq: seq), at: Samples.noon)
        }
        _ = try await store.apply([.receipt(receipt(1, delivered: 1, read: 1))], at: Samples.noon)
        await store.close()
        let database = try Database(path: path, mode: .readWrite)
        for table in ["members", "messages"] {
            for column in ["deliveredAt", "readAt"] {
                try database.run("ALTER TABLE \(table) DROP COLUMN \(column)")
            }
        }
        for column in ["deliveredFrom", "readFrom"] {
            try database.run("ALTER TABLE members DROP COLUMN \(column)")
        }
        try database.run("DELETE FROM migrations WHERE name = '0004 receipt times'")
        database.close()
        store = try Store(path: path, account: Samples.anna, executor: .inline)
        #expect(try await times(store) == ["own 1: - -", "own 2: - -"])
        _ = try await store.apply([.receipt(receipt(2, delivered: 5, read: 6))], at: Samples.noon)
        #expect(try await times(store) == ["own 1: - -", "own 2: 5 6"])
        await store.close()
    }
}
