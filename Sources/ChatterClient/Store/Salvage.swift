import ChatterModel
import SQLite

/// Copies what can be read of a damaged database into a new one: first what exists nowhere else (the outbox and the
/// drafts), then the rest. What the copy lacks is made consistent: the sync brings it again.
struct Salvage {
    private let source: Database?
    private let target: Database

    /// A source that is no database at all leaves an empty target.
    init(from path: String, to targetPath: String) throws {
        source = try Self.open(path)
        target = try Database(path: targetPath, mode: .readWrite)
    }

    private static func open(_ path: String) throws -> Database? {
        do {
            return try Database(path: path, mode: .readWrite)
        } catch  where error.isDamage {
            return nil
        }
    }

    /// True when every row could be read: then only indexes were damaged, and the copy has sound ones.
    func run() throws -> Bool {
        defer {
            source?.close()
            target.close()
        }
        try Schema.migrator.migrate(target)
        return try target.transaction {
            var isWhole = source != nil
            if let source {
                for table in Self.order {
                    isWhole = try TableCopy(table, from: source, to: target).run() && isWhole
                }
            }
            if !isWhole { try makeConsistent() }
            return isWhole
        }
    }

    private static let order: [Table] = [
        .outbox, .drafts, .syncState, .conversations, .members, .holes, .users, .friends, .friendRequests,
        .blocks, .hiddenMarks, .messages, .lostMessages,
    ]
}

// MARK: - What the copy lacks

extension Salvage {
    private func makeConsistent() throws {
        // Without a cursor all records come again.
        try target.run("DELETE FROM syncState WHERE key = ?", StateKey.cursor.rawValue)
        try adoptOrphans()
        try joinSends()
        for id in try target.all("SELECT id FROM conversations", map: { $0.text(0) }) {
            try liftFloor(of: id)
        }
    }

    /// Messages whose conversation was lost: history of a conversation that is met anew.
    private func adoptOrphans() throws {
        try target.run(
            """
            INSERT INTO conversations (id, type, lastSeq, lastChange, topSeq, syncedChange, historyFloor,
                createdAt, lastActivityAt, version)
            SELECT conversationID, 'direct', coalesce(max(seq), 0), max(change), coalesce(max(seq), 0), max(change),
                coalesce(max(seq), 0) + 1, min(createdAt), max(createdAt), 0
            FROM messages WHERE conversationID NOT IN (SELECT id FROM conversations) GROUP BY conversationID
            """)
        for table in [Table.members, .holes, .lostMessages] {
            try target.run(
                "DELETE FROM \(table) WHERE conversationID NOT IN (SELECT id FROM conversations)")
        }
    }

    /// A message that waits has a row and an entry: of each that was lost the other is made again.
    private func joinSends() throws {
        try target.run(
            """
            DELETE FROM outbox WHERE clientMessageID IN (
                SELECT clientMessageID FROM messages WHERE isMine = 1 AND seq IS NOT NULL)
            """)
        let lost = try target.all(
            """
            SELECT payload, createdAt FROM outbox WHERE kind = ? AND clientMessageID NOT IN (
                SELECT clientMessageID FROM messages WHERE isMine = 1)
            """, OutboxAction.Kind.send.rawValue
        ) { (message: try $0.json(0, as: SendMessage.self), at: $0.timestamp(1)) }
        let owner = try target.state(.account) ?? ""
        for (message, time) in lost { try insertRow(of: message, by: owner, at: time) }
        let unqueued = try target.all(
            """
            SELECT clientMessageID, conversationID, type, body, replyToID, createdAt FROM messages
            WHERE seq IS NULL AND clientMessageID NOT IN (
                SELECT clientMessageID FROM outbox WHERE clientMessageID IS NOT NULL)
            """
        ) { row in
            let message = SendMessage(
                clientMessageID: try row.clientMessageID(0), conversationID: row.id(1),
                type: MessageType(rawValue: row.text(2)), body: row.text(3), replyToID: row.optionalID(4))
            return (message: message, at: row.timestamp(5))
        }
        for (message, time) in unqueued {
            let context = WriteContext(database: target, me: ID(owner))
            try context.append(.send(message), at: time)
        }
        try agreeOnFailures()
    }

    /// Half a failure is none: the message is sent again.
    private func agreeOnFailures() throws {
        try target.run(
            """
            UPDATE messages SET localStatus = 'pending', failureCode = NULL
            WHERE localStatus = 'failed' AND clientMessageID NOT IN (
                SELECT clientMessageID FROM outbox WHERE state = 'failed' AND clientMessageID IS NOT NULL)
            """)
        try target.run(
            """
            UPDATE outbox SET state = 'waiting', failureCode = NULL
            WHERE state = 'failed' AND clientMessageID IS NOT NULL AND clientMessageID NOT IN (
                SELECT clientMessageID FROM messages WHERE localStatus = 'failed')
            """)
    }

    private func insertRow(of message: SendMessage, by owner: String, at time: Timestamp) throws {
        try target.run(
            """
            INSERT INTO conversations (id, type, lastSeq, lastChange, topSeq, syncedChange, historyFloor,
                createdAt, lastActivityAt, version)
            VALUES (?1, 'direct', 0, 0, 0, 0, 1, ?2, ?2, 0) ON CONFLICT DO NOTHING
            """, message.conversationID.rawValue, time.milliseconds)
        try target.run(
            """
            INSERT INTO messages (clientMessageID, conversationID, change, senderID, isMine, type, body,
                createdAt, replyToID, localStatus)
            VALUES (?, ?, 0, ?, 1, ?, ?, ?, ?, 'pending')
            """,
            message.clientMessageID.rawValue, message.conversationID.rawValue, owner,
            message.type.rawValue, message.body, time.milliseconds, message.replyToID?.rawValue)
    }

    /// What lies below the newest lost message counts as history that was never loaded: it is fetched again when
    /// somebody scrolls to it, and what is still here shows at once then.
    private func liftFloor(of id: String) throws {
        let context = WriteContext(database: target, me: ID(try target.state(.account) ?? ""))
        guard var ledger = try ConversationLedger(ID(id), in: context) else { return }
        let present = try target.all(
            "SELECT seq FROM messages WHERE conversationID = ? AND seq >= ? ORDER BY seq DESC", id,
            ledger.sync.floor
        ) { $0.int64(0) }
        guard let lost = ledger.sync.newestLost(present: present) else { return }
        try ledger.liftFloor(to: lost + 1)
        try ledger.save()
    }
}

// MARK: - One table

/// Copies the rows of one table that can be read, skipping what is damaged.
private struct TableCopy {
    private let table: Table
    private let source: Database
    private let target: Database
    private let columns: [(name: String, isText: Bool)]
    private let hasRowID: Bool
    private let insert: String

    init(_ table: Table, from source: Database, to target: Database) throws {
        self.table = table
        self.source = source
        self.target = target
        columns = try target.all("SELECT name, type FROM pragma_table_info(?)", table.rawValue) {
            ($0.text(0), $0.text(1) == "TEXT")
        }
        hasRowID = ![Table.members, .holes, .hiddenMarks, .syncState].contains(table)
        insert = """
            INSERT OR IGNORE INTO \(table) (\(columns.map(\.name).joined(separator: ", ")))
            VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
            """
    }

    /// True when no row was lost.
    func run() throws -> Bool {
        if hasRowID { try copyByRowID() } else { try copyFromBothEnds() }
    }

    private var columnList: String { columns.map(\.name).joined(separator: ", ") }

    private typealias Values = [(any Bindable)?]

    private func values(_ row: borrowing Row, from first: Int) -> Values {
        var values: Values = []
        for (index, column) in columns.enumerated() {
            values.append(
                column.isText ? row.optionalText(first + index) : row.optionalInt64(first + index))
        }
        return values
    }

    /// False for a row that no build wrote: the damage has changed it.
    private func write(_ values: Values) throws -> Bool {
        do {
            try target.run(insert, values)
            return target.changes == 1
        } catch  where error.isConstraint {
            return false
        }
    }

    private func copyByRowID() throws -> Bool {
        var isWhole = true
        var next: Int64? = Int64.min
        while let start = next {
            do {
                next = try copyRows(from: start, limit: 200, &isWhole)
            } catch  where error.isDamage {
                isWhole = false
                next = try copyBeside(damage: start)
            }
        }
        return isWhole
    }

    /// Answers where to go on; nil at the end.
    private func copyRows(from start: Int64, limit: Int, _ isWhole: inout Bool) throws -> Int64? {
        let rows = try source.all(
            "SELECT rowid, \(columnList) FROM \(table) NOT INDEXED WHERE rowid >= ? ORDER BY rowid LIMIT ?",
            start,
            limit
        ) { (id: $0.int64(0), values: values($0, from: 1)) }
        for row in rows where try !write(row.values) { isWhole = false }
        return rows.last.map { $0.id + 1 }
    }

    /// Somewhere in the rows that follow is the damage: one at a time up to it, then over it.
    private func copyBeside(damage start: Int64) throws -> Int64? {
        var next = start
        var isWhole = false
        while true {
            do {
                guard let following = try copyRows(from: next, limit: 1, &isWhole) else { return nil }
                next = following
            } catch  where error.isDamage {
                return try firstReadable(from: next)
            }
        }
    }

    /// The smallest row id above the damage that can be read: steps grow until one is found, then halve.
    private func firstReadable(from damaged: Int64) throws -> Int64? {
        let start = max(damaged, 0)
        var (low, step) = (start, Int64(1))
        while try !isReadable(start + step) {
            low = start + step
            step *= 2
            guard step < 1 << 40 else { return nil }
        }
        var high = start + step
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if try isReadable(middle) { high = middle } else { low = middle }
        }
        return high
    }

    /// Throws what is no damage: a disk that fails in another way would read as lost rows.
    private func isReadable(_ rowID: Int64) throws -> Bool {
        do {
            _ = try source.first(
                "SELECT \(columnList) FROM \(table) NOT INDEXED WHERE rowid >= ? ORDER BY rowid LIMIT 1",
                rowID
            ) { _ in true }
            return true
        } catch  where error.isDamage {
            return false
        }
    }

    /// Tables that are one index: what stands before and behind the damage.
    private func copyFromBothEnds() throws -> Bool {
        for direction in ["ASC", "DESC"] {
            do {
                var isWhole = direction == "ASC"
                try source.each(
                    "SELECT \(columnList) FROM \(table) ORDER BY \(columns[0].name) \(direction)"
                ) { row in
                    if try !write(values(row, from: 0)) { isWhole = false }
                }
                return isWhole
            } catch  where error.isDamage {
                continue
            }
        }
        return false
    }
}
