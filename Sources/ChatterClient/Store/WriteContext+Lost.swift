import ChatterModel
import SQLite

/// The messages of a conversation that the server lost.
struct LostRange {
    /// Where they stand.
    var conversation: ID<Conversation>
    /// The newest message that the server kept.
    var above: Int64
    /// Where they go on: another conversation when the server lost the whole of it.
    var target: ID<Conversation>

    init(conversation: ID<Conversation>, above: Int64, target: ID<Conversation>? = nil) {
        self.conversation = conversation
        self.above = above
        self.target = target ?? conversation
    }
}

extension WriteContext {
    /// Takes lost messages out of the order of the server. One's own wait to be sent again, under their own ids and
    /// before anything written later; others' are kept aside, until their authors' devices have done the same.
    func takeOut(_ range: LostRange, at now: Timestamp) throws {
        try dropLostReplies(of: range)
        let own = try ownMessages(of: range)
        try keepAside(range)
        try database.run(
            """
            DELETE FROM messages WHERE conversationID = ? AND seq > ? AND NOT (\(Self.isResendable))
            """, range.conversation.rawValue, range.above)
        try database.run(
            """
            UPDATE messages SET id = NULL, seq = NULL, change = 0, editedAt = NULL, localStatus = 'pending',
                deliveredAt = NULL, readAt = NULL
            WHERE conversationID = ? AND seq > ?
            """, range.conversation.rawValue, range.above)
        try queueFirst(own, lane: range.target.rawValue, at: now)
        try renumberWaiting(own.map(\.clientMessageID), in: range.conversation)
    }

    private static let isResendable = """
        isMine = 1 AND type = 'text' AND deletedAt IS NULL AND hidden = 0 AND deletion IS NULL
        """

    /// An answer to a lost message no longer names it: the server would refuse it.
    private func dropLostReplies(of range: LostRange) throws {
        try database.run(
            """
            UPDATE messages SET replyToID = NULL WHERE conversationID = ?1 AND (seq > ?2 OR seq IS NULL)
                AND replyToID IN (SELECT id FROM messages WHERE conversationID = ?1 AND seq > ?2)
            """, range.conversation.rawValue, range.above)
        for entry in try reading.entries(in: range.conversation.rawValue) {
            guard case .send(var message) = entry.action, message.replyToID != nil else { continue }
            let isDropped = try database.first(
                "SELECT replyToID IS NULL FROM messages WHERE clientMessageID = ? AND isMine = 1",
                message.clientMessageID.rawValue
            ) { $0.bool(0) }
            guard isDropped == true else { continue }
            message.replyToID = nil
            try replace(entry, with: .send(message))
        }
    }

    private func ownMessages(of range: LostRange) throws -> [SendMessage] {
        try database.all(
            """
            SELECT clientMessageID, type, body, replyToID FROM messages
            WHERE conversationID = ? AND seq > ? AND \(Self.isResendable) ORDER BY seq
            """, range.conversation.rawValue, range.above
        ) { row in
            SendMessage(
                clientMessageID: try row.clientMessageID(0), conversationID: range.target,
                type: MessageType(rawValue: row.text(1)), body: row.text(2), replyToID: row.optionalID(3))
        }
    }

    private func keepAside(_ range: LostRange) throws {
        try database.run(
            """
            INSERT INTO lostMessages (conversationID, senderID, clientMessageID, afterSeq, isMine, type, body,
                createdAt, editedAt, hidden)
            SELECT ?1, senderID, clientMessageID, ?2, isMine, type, iif(deletion IS NULL, body, ''), createdAt,
                editedAt, hidden OR deletion IS NOT NULL
            FROM messages
            WHERE conversationID = ?3 AND seq > ?4 AND deletedAt IS NULL AND NOT (\(Self.isResendable))
            ORDER BY seq ON CONFLICT DO NOTHING
            """, range.target.rawValue, range.target == range.conversation ? range.above : 0,
            range.conversation.rawValue, range.above)
    }

    /// Puts sends in front of what waits in their lane.
    private func queueFirst(_ messages: [SendMessage], lane: String, at now: Timestamp) throws {
        guard !messages.isEmpty else { return }
        let last = try database.first("SELECT max(id) FROM outbox WHERE lane = ?", lane) {
            $0.optionalInt64(0) ?? 0
        }
        for message in messages { try append(.send(message), at: now) }
        try requeue(lane: lane, through: last ?? 0)
    }

    /// Entries leave in the order of their ids, which are never given twice: these get new ones.
    private func requeue(lane: String, through last: Int64) throws {
        let columns = """
            kind, lane, payload, attempts, faults, nextAttemptAt, held, state, failureCode, lastError, createdAt
            """
        try database.run(
            """
            INSERT INTO outbox (\(columns)) SELECT \(columns) FROM outbox WHERE lane = ? AND id <= ? ORDER BY id
            """, lane, last)
        try database.run("DELETE FROM outbox WHERE lane = ? AND id <= ?", lane, last)
        try database.run(
            """
            UPDATE outbox SET clientMessageID = json_extract(payload, '$.clientMessageId')
            WHERE lane = ? AND kind = ? AND clientMessageID IS NULL
            """, lane, OutboxAction.Kind.send.rawValue)
    }

    /// What waits is shown in the order of `localID`: first these, then what was written later.
    private func renumberWaiting(_ first: [ClientMessageID], in id: ID<Conversation>) throws {
        guard !first.isEmpty else { return }
        let waiting = try database.all(
            """
            SELECT clientMessageID FROM messages WHERE conversationID = ? AND seq IS NULL ORDER BY localID
            """, id.rawValue
        ) { try $0.clientMessageID(0) }
        let later = Set(waiting).subtracting(first)
        for key in first + waiting.filter({ later.contains($0) }) {
            try database.run(
                """
                UPDATE messages SET localID = (SELECT max(localID) + 1 FROM messages)
                WHERE clientMessageID = ? AND isMine = 1
                """, key.rawValue)
        }
    }
}

// MARK: - A whole conversation

extension WriteContext {
    /// What waits to be sent to `id` is sent to `target`. A deletion of what the server lost has nothing to delete.
    func moveWaiting(from id: ID<Conversation>, to target: ID<Conversation>) throws {
        for entry in try reading.entries(in: id.rawValue) {
            switch entry.action {
            case .send(var message):
                message.conversationID = target
                // What it answered is lost.
                message.replyToID = nil
                try replace(entry, with: .send(message))
            case .deleteMessage(var deletion) where deletion.messageID == nil:
                deletion.conversationID = target
                try replace(entry, with: .deleteMessage(deletion))
            default: try remove(entry)
            }
        }
        try database.run("UPDATE outbox SET lane = ? WHERE lane = ?", target.rawValue, id.rawValue)
        try database.run("DELETE FROM outbox WHERE lane = ?", OutboxAction.settingsLane(id))
    }

    /// After the messages that the server had: whatever else stands under `id`, and the end of it.
    func moveRest(from id: ID<Conversation>, to target: ID<Conversation>) throws {
        try database.run(
            """
            UPDATE messages SET conversationID = ?, replyToID = NULL WHERE conversationID = ?
            """, target.rawValue, id.rawValue)
        try database.run(
            "UPDATE OR IGNORE lostMessages SET conversationID = ?, afterSeq = 0 WHERE conversationID = ?",
            target.rawValue, id.rawValue)
        try database.run(
            "UPDATE OR IGNORE drafts SET conversationID = ? WHERE conversationID = ?", target.rawValue,
            id.rawValue)
        try database.run("DELETE FROM drafts WHERE conversationID = ?", id.rawValue)
        try database.run("DELETE FROM conversations WHERE id = ?", id.rawValue)
    }
}

// MARK: - What is kept aside

/// A message kept aside, by what stays the same when its author's device sends it again.
struct LostKey: Hashable {
    var sender: ID<User>
    var clientMessageID: String
}

extension WriteContext {
    func lostKeys(in id: ID<Conversation>) throws -> Set<LostKey> {
        Set(
            try database.all(
                "SELECT senderID, clientMessageID FROM lostMessages WHERE conversationID = ?", id.rawValue
            ) { LostKey(sender: $0.id(0), clientMessageID: $0.text(1)) })
    }

    /// The message is back at the server. Answers whether this account had deleted it for itself.
    func takeBack(_ key: LostKey, in id: ID<Conversation>) throws -> Bool {
        try database.first(
            """
            DELETE FROM lostMessages WHERE conversationID = ? AND senderID = ? AND clientMessageID = ?
            RETURNING hidden
            """, id.rawValue, key.sender.rawValue, key.clientMessageID
        ) { $0.bool(0) } ?? false
    }

    /// For this account alone: nobody else has it at the server. False when no such message is kept aside.
    func hideLost(_ key: MessageItem.Key) throws -> Bool {
        try database.run(
            "UPDATE lostMessages SET hidden = 1, body = '' WHERE senderID = ? AND clientMessageID = ?",
            key.senderID.rawValue, key.clientMessageID.rawValue)
        return database.changes > 0
    }
}

extension ReadContext {
    /// Those that stand behind messages from `lower` on, with the seq before each; ascending.
    func lostMessages(
        in id: ID<Conversation>, from lower: Int64
    ) throws -> [(afterSeq: Int64, item: MessageItem)] {
        try database.all(
            """
            SELECT m.afterSeq, m.senderID, m.clientMessageID, m.isMine, m.type, m.body, m.createdAt, m.editedAt,
                u.id, u.username, u.displayName, u.about, u.avatarURL, u.isDeleted, u.version
            FROM lostMessages m LEFT JOIN users u ON u.id = m.senderID
            WHERE m.conversationID = ? AND m.afterSeq >= ? AND m.hidden = 0
            ORDER BY m.afterSeq, m.createdAt, m.localID
            """, id.rawValue, lower
        ) { row in
            let key = MessageItem.Key(senderID: row.id(1), clientMessageID: try row.clientMessageID(2))
            let item = MessageItem(
                id: key, conversationID: id, messageID: nil, seq: nil, sender: row.optionalUser(8),
                isMine: row.bool(3), type: MessageType(rawValue: row.text(4)), body: row.text(5),
                createdAt: row.timestamp(6), editedAt: row.optionalTimestamp(7), status: nil)
            return (row.int64(0), item)
        }
    }
}
