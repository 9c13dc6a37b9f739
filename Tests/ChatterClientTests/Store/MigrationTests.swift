import ChatterTestSupport
import Foundation
import SQLite
import Testing

@testable import ChatterClient

@Suite("The schema and its steps")
struct MigrationTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.file("chatter.db").path }

    init() throws { directory = try TemporaryDirectory() }

    /// Each step's name and the hash of its text, as they were released. A file in somebody's pocket remembers both:
    /// never change a line here, only add one.
    private static let released = [
        "0001 people": "264bd2ce15194b37",
        "0001 conversations": "78bf00a1d7dccf0d",
        "0001 messages": "d5b7ebd1f2f1e58a",
        "0001 outbox": "7b9b73ecd89079da",
        "0002 epochs": "e20ac1f850854d5d",
        "0003 lost chats": "17643a3a115f536c",
        "0004 receipt times": "d08c71d723357306",
    ]

    private func withFile<T>(_ body: (Database) throws -> T) throws -> T {
        let database = try Database(path: path, mode: .readWrite)
        defer { database.close() }
        return try body(database)
    }

    private func make() async throws {
        let store = try Store(path: path, account: Samples.anna, executor: .inline)
        try await store.store(Samples.me())
        _ = try await store.store(Samples.conversation(), at: Samples.noon)
        _ = try await store.apply((1...3).messages().map { .message($0) }, at: Samples.noon)
        try await store.insertPending(Samples.draft(1), at: Samples.noon)
        await store.close()
    }

    @Test("The text of a released step never changes")
    func pinned() async throws {
        try await make()
        let applied = try withFile { database in
            try database.all("SELECT name, checksum FROM migrations ORDER BY rowid") {
                ($0.text(0), $0.text(1))
            }
        }
        #expect(Dictionary(uniqueKeysWithValues: applied) == Self.released)
    }

    @Test("The steps make these tables and indexes, in this order, and nothing else")
    func makes() async throws {
        try await make()
        #expect(
            try withFile { try $0.things() } == [
                "users", "friends", "friendRequests", "blocks",
                "conversations", "members", "holes", "drafts",
                "messages", "ownMessages", "hiddenMarks",
                "outbox", "outboxLanes", "syncState",
                "lostMessages",
            ])
    }

    @Test("Every table has its name in Swift")
    func named() async throws {
        try await make()
        let indexes: Set = ["ownMessages", "outboxLanes"]
        let tables = try withFile { try Set($0.things()).subtracting(indexes) }
        #expect(tables == Set(Table.allCases.map(\.rawValue)))
    }

    @Test("A file that was left between two steps is brought to the end, and keeps what it has")
    func interrupted() async throws {
        try await make()
        let before = try withFile { try $0.things() }
        try withFile { database in
            // As if the last steps had not been made.
            try database.execute(script: "DROP TABLE lostMessages")
            for column in ["isLost", "awaits", "heardChange", "heardUnread", "renumbered", "agreedSeq"] {
                try database.run("ALTER TABLE conversations DROP COLUMN \(column)")
            }
            for column in ["deliveredAt", "readAt", "deliveredFrom", "readFrom"] {
                try database.run("ALTER TABLE members DROP COLUMN \(column)")
            }
            for column in ["deliveredAt", "readAt"] {
                try database.run("ALTER TABLE messages DROP COLUMN \(column)")
            }
            try database.run("DELETE FROM migrations WHERE name > '0002'")
            #expect(
                try Schema.migrator.pending(database) == [
                    "0002 epochs", "0003 lost chats", "0004 receipt times",
                ])
        }
        let store = try Store(path: path, account: Samples.anna, executor: .inline)
        let content = try await store.read { try $0.conversation(Samples.chat, limit: 9) }
        #expect(content?.items.compactMap(\.seq) == [1, 2, 3])
        try await store.insertPending(Samples.draft(2), at: Samples.noon)
        await store.close()
        #expect(try withFile { try $0.things() } == before)
        #expect(try withFile { try Schema.migrator.pending($0) }.isEmpty)
    }

    @Test("A file whose steps were edited is not opened, and stays as it is")
    func edited() async throws {
        try await make()
        try withFile { try $0.run("UPDATE migrations SET checksum = 'x' WHERE name = '0001 messages'") }
        #expect(throws: MigrationError.edited("0001 messages")) {
            _ = try Store(path: path, account: Samples.anna, executor: .inline)
        }
        #expect(try withFile { try $0.first("SELECT count(*) FROM messages") { $0.int(0) } } == 4)
    }

    @Test("A file of a newer version is not opened, not taken for a damaged one, and stays as it is")
    func newer() async throws {
        try await make()
        try withFile { try $0.run("INSERT INTO migrations VALUES ('0009 stars', 'x', 'then')") }
        let unknown = MigrationError.newerSchema(unknown: ["0009 stars"])
        await #expect(throws: unknown) { _ = try await StoreFile(path: path).open(account: Samples.anna) }
        #expect(FileManager.default.fileExists(atPath: path + ".broken") == false)
        #expect(try withFile { try $0.first("SELECT count(*) FROM outbox") { $0.int(0) } } == 1)
    }

    @Test(
        "What must never be is refused by the database itself",
        arguments: [
            "INSERT INTO messages (clientMessageID, conversationID, change, senderID, isMine, type, body, createdAt, localStatus) SELECT clientMessageID, conversationID, 0, senderID, 1, type, body, 0, 'pending' FROM messages WHERE isMine = 1",
            "UPDATE messages SET seq = 2 WHERE seq = 3",
            "UPDATE messages SET id = (SELECT id FROM messages WHERE seq = 1) WHERE seq = 2",
            "UPDATE messages SET id = NULL WHERE seq = 1",
            "UPDATE messages SET localStatus = 'confirmed' WHERE seq IS NULL",
            "UPDATE messages SET localStatus = 'failed' WHERE seq IS NULL",
            "UPDATE messages SET hidden = 1 WHERE seq = 1",
            "UPDATE messages SET deletedAt = 1 WHERE seq = 1",
            "UPDATE messages SET conversationID = 'nobody'",
            "UPDATE conversations SET topSeq = lastSeq + 1",
            "UPDATE conversations SET syncedChange = lastChange + 1",
            "UPDATE conversations SET historyFloor = 0",
            "UPDATE conversations SET unreadLoaded = -1",
            "UPDATE members SET lastReadSeq = lastDeliveredSeq + 1",
            "UPDATE outbox SET state = 'failed'",
            "UPDATE outbox SET held = 1",
            "INSERT INTO outbox (kind, lane, clientMessageID, payload, createdAt) SELECT kind, lane, clientMessageID, payload, 0 FROM outbox",
            "INSERT INTO drafts VALUES ('c', '', 0)",
            "INSERT INTO holes SELECT id, 5, 4 FROM conversations",
        ])
    func constraints(sql: String) async throws {
        try await make()
        try withFile { database in
            let before = try database.contents()
            let error = #expect(throws: SQLiteError.self) { try database.run(sql) }
            #expect(error?.isConstraint == true, "\(sql)")
            #expect(try database.contents() == before)
        }
    }
}

extension Database {
    /// Tables and indexes that this schema made.
    fileprivate func things() throws -> [String] {
        try all(
            """
            SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' AND name <> 'migrations' ORDER BY rowid
            """
        ) { $0.text(0) }
    }
}
