import ChatterModel
import SQLite

/// What counting needs of a message's row.
struct RowFacts: Hashable {
    var seq: Int64
    var isMine: Bool
    /// Neither a tombstone nor deleted for this account.
    var isVisible: Bool

    func isUnread(above readSeq: Int64) -> Bool { !isMine && isVisible && seq > readSeq }
}

/// What a merge made of a message.
struct MergedRow {
    /// The confirmed row that was there; nil when there was none, or only a pending one.
    var before: RowFacts?
    var after: RowFacts
    /// This account's message that was still in the outbox.
    var settled: ClientMessageID?
}

/// Merges messages of the server into rows: by `id` and, for this account's own, by `clientMessageID`; what turns out
/// to be two rows becomes one. A row only takes a newer `change`, so nothing old can undo a deletion; "deleted for me"
/// never ends.
struct MessageMerge {
    let context: WriteContext
    /// Messages that this account deleted for itself before they came here.
    private let hiddenMarks: Set<String>
    /// Messages that the server had lost.
    private let lost: Set<LostKey>

    init(_ conversation: ID<Conversation>, in context: WriteContext) throws {
        self.context = context
        hiddenMarks = Set(
            try context.database.all(
                "SELECT messageID FROM hiddenMarks WHERE conversationID = ?", conversation.rawValue
            ) { $0.text(0) })
        lost = try context.lostKeys(in: conversation)
    }

    func merge(_ message: Message) throws -> MergedRow {
        var isHidden = message.hidden == true || hiddenMarks.contains(message.id.rawValue)
        let key = LostKey(sender: message.senderID, clientMessageID: message.clientMessageID.rawValue)
        if lost.contains(key), try context.takeBack(key, in: message.conversationID) { isHidden = true }
        if try insert(message, isHidden: isHidden) {
            let after = RowFacts(
                seq: message.seq, isMine: message.senderID == context.me,
                isVisible: message.deletedAt == nil && !isHidden)
            return MergedRow(before: nil, after: after, settled: nil)
        }
        let rows = try rivals(of: message)
        guard let (row, others) = choose(from: rows, for: message) else {
            throw StoreError.unreadable("messages")
        }
        for other in others {
            try context.database.run("DELETE FROM messages WHERE localID = ?", other.localID)
        }
        let wasHidden = rows.contains { $0.id == message.id.rawValue && $0.isHidden }
        return try update(row, with: message, isHidden: isHidden || wasHidden)
    }

    /// The one statement that a new message needs. False when a row of this message, or of its place, is there.
    private func insert(_ message: Message, isHidden: Bool) throws -> Bool {
        try context.database.run(
            """
            INSERT INTO messages (id, clientMessageID, conversationID, seq, change, senderID, isMine, type, body,
                createdAt, editedAt, deletedAt, replyToID, hidden, localStatus)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'confirmed')
            ON CONFLICT DO NOTHING
            """,
            message.id.rawValue, message.clientMessageID.rawValue, message.conversationID.rawValue,
            message.seq, message.change, message.senderID.rawValue, message.senderID == context.me,
            message.type.rawValue, message.deletedAt == nil && !isHidden ? message.body : "",
            message.createdAt.milliseconds, message.editedAt?.milliseconds, message.deletedAt?.milliseconds,
            message.replyToID?.rawValue, isHidden)
        return context.database.changes == 1
    }
}

// MARK: - The slow path: rows are there

extension MessageMerge {
    private struct StoredRow {
        var localID: Int64
        var id: String?
        var clientMessageID: String
        var seq: Int64?
        var change: Int64
        var isMine: Bool
        var isDeleted: Bool
        var isHidden: Bool
        var deletion: String?

        var facts: RowFacts? {
            seq.map {
                RowFacts(seq: $0, isMine: isMine, isVisible: !isDeleted && !isHidden && deletion == nil)
            }
        }
    }

    /// Every row that this message cannot stand beside.
    private func rivals(of message: Message) throws -> [StoredRow] {
        try context.database.all(
            """
            SELECT localID, id, clientMessageID, seq, change, isMine, deletedAt IS NOT NULL, hidden, deletion
            FROM messages
            WHERE id = ?1 OR (clientMessageID = ?2 AND isMine = 1 AND ?3) OR (conversationID = ?4 AND seq = ?5)
            """, message.id.rawValue, message.clientMessageID.rawValue, message.senderID == context.me,
            message.conversationID.rawValue, message.seq
        ) { row in
            StoredRow(
                localID: row.int64(0), id: row.optionalText(1), clientMessageID: row.text(2),
                seq: row.optionalInt64(3), change: row.int64(4), isMine: row.bool(5), isDeleted: row.bool(6),
                isHidden: row.bool(7), deletion: row.optionalText(8))
        }
    }

    /// The row to keep, and those that are folded into it. A row of another message at the same place gives way too:
    /// only a server whose database was put back by hand, unnoticed, brings that about.
    private func choose(from rows: [StoredRow], for message: Message) -> (StoredRow, [StoredRow])? {
        let isMine = message.senderID == context.me
        let kept =
            rows.first { isMine && $0.isMine && $0.clientMessageID == message.clientMessageID.rawValue }
            ?? rows.first { $0.id == message.id.rawValue } ?? rows.first
        guard let kept else { return nil }
        return (kept, rows.filter { $0.localID != kept.localID })
    }

    private func update(_ row: StoredRow, with message: Message, isHidden: Bool) throws -> MergedRow {
        let isSameMessage = row.id == nil || row.id == message.id.rawValue
        let hidden = isHidden || (isSameMessage && row.isHidden)
        var after = row
        after.isHidden = hidden
        // What was deleted for everyone stays so, also when the server has lost the deletion.
        let staysDeleted = isSameMessage && row.isDeleted
        if message.change > row.change || !isSameMessage {
            after.seq = message.seq
            after.isMine = message.senderID == context.me
            after.isDeleted = message.deletedAt != nil || staysDeleted
            after.deletion = isSameMessage && !hidden && !after.isDeleted ? row.deletion : nil
            try write(
                message, over: row, hidden: hidden, staysDeleted: staysDeleted, deletion: after.deletion)
        } else if hidden, !row.isHidden {
            after.deletion = nil
            try context.database.run(
                "UPDATE messages SET hidden = 1, deletion = NULL, body = '' WHERE localID = ?", row.localID)
        }
        guard let facts = after.facts else { throw StoreError.unreadable("seq") }
        let settled = row.seq == nil ? ClientMessageID(row.clientMessageID) : nil
        if let settled {
            // The server has it: its entry leaves the outbox with the same commit.
            try context.database.run("DELETE FROM outbox WHERE clientMessageID = ?", settled.rawValue)
        }
        return MergedRow(before: row.facts, after: facts, settled: settled)
    }

    private func write(
        _ message: Message, over row: StoredRow, hidden: Bool, staysDeleted: Bool, deletion: String?
    ) throws {
        try context.database.run(
            """
            UPDATE messages SET id = ?, clientMessageID = ?, conversationID = ?, seq = ?, change = ?,
                senderID = ?, isMine = ?, type = ?, body = ?, createdAt = ?, editedAt = ?,
                deletedAt = coalesce(?, iif(?, deletedAt, NULL)), replyToID = ?, hidden = ?, deletion = ?, localStatus = 'confirmed', failureCode = NULL,
                deliveredAt = iif(id = ?1, deliveredAt, NULL), readAt = iif(id = ?1, readAt, NULL)
            WHERE localID = ?
            """,
            message.id.rawValue, message.clientMessageID.rawValue, message.conversationID.rawValue,
            message.seq, message.change, message.senderID.rawValue, message.senderID == context.me,
            message.type.rawValue,
            message.deletedAt == nil && !hidden && !staysDeleted ? message.body : "",
            message.createdAt.milliseconds, message.editedAt?.milliseconds, message.deletedAt?.milliseconds,
            staysDeleted, message.replyToID?.rawValue, hidden, deletion, row.localID)
    }
}
