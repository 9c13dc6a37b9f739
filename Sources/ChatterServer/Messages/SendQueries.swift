import ChatterModel
import SQLite

/// The one way a message gets in, by socket, by REST and from the echo bot.
///
/// The hot path: one query reads everything that decides, two statements write. Nothing grows with the number of
/// messages. A send says nothing about what its sender has read; docs/decisions/0047.
enum SendQueries {
    /// Commits the message and tells everyone's devices but the `origin` connection. A repetition, now or after a
    /// week, answers as the first time and changes nothing.
    ///
    /// Throws NOT_FOUND (not this user's conversation), USER_DELETED, BLOCKED, NOT_FRIENDS, ID_REUSED, and
    /// VALIDATION_FAILED for a reply to something else.
    static func send(
        _ draft: MessageDraft, by user: ID<User>, origin: ConnectionID? = nil,
        in transaction: WriteTransaction
    ) throws -> MessageAck {
        let database = transaction.database
        guard let standing = try Standing.read(draft, by: user, now: transaction.now, in: database) else {
            throw ConversationQueries.notFound
        }
        if let earlier = standing.earlier { return try earlier.answer(to: draft, in: database) }
        let isHidden = try standing.allowsSending(by: user, in: database)
        try checkReply(draft, by: user, in: database)

        let place = try takePlace(in: draft.conversation, isHidden: isHidden, in: transaction)
        let message = Message(
            id: transaction.newID(), clientMessageID: draft.clientMessageID,
            conversationID: draft.conversation, senderID: user, seq: place.seq, change: place.change,
            body: draft.body, createdAt: transaction.now, replyToID: draft.replyTo)
        try insert(message, hiddenFrom: isHidden ? standing.peer : nil, in: database)
        if isHidden { try touch(draft.conversation, for: user, position: place.position, in: database) }
        let audience = isHidden ? [user] : [user, standing.peer]
        transaction.publish(.messageNew(message), to: audience, except: origin)
        if standing.isArchived {
            try SettingsQueries.bringBack(draft.conversation, for: user, in: transaction)
        }
        if standing.isPeerArchived, !isHidden {
            try SettingsQueries.bringBack(draft.conversation, for: standing.peer, in: transaction)
        }
        return MessageAck(message)
    }

    private static func checkReply(
        _ draft: MessageDraft, by user: ID<User>, in database: Database
    ) throws {
        guard let target = draft.replyTo else { return }
        let isThere = try database.first(
            """
            SELECT 1 FROM messages
            WHERE id = ? AND conversation_id = ? AND (hidden_from IS NULL OR hidden_from <> ?)
            """, target, draft.conversation, user
        ) { _ in true }
        guard isThere == true else {
            throw APIError.invalid("replyToId", "must be a message of this conversation")
        }
    }

    // MARK: - Writing

    private struct Place {
        let seq, change, position: Int64
    }

    /// A message that the peer never gets must not move the conversation for them: only the counters go on.
    private static func takePlace(
        in conversation: ID<Conversation>, isHidden: Bool, in transaction: WriteTransaction
    ) throws -> Place {
        let position = transaction.nextPosition()
        let place =
            if isHidden {
                try transaction.database.first(
                    """
                    UPDATE conversations SET last_seq = last_seq + 1, last_change = last_change + 1
                    WHERE id = ? RETURNING last_seq, last_change
                    """, conversation
                ) { Place(seq: $0.int64(0), change: $0.int64(1), position: position) }
            } else {
                try transaction.database.first(
                    """
                    UPDATE conversations SET last_seq = last_seq + 1, last_change = last_change + 1,
                        last_activity_at = ?, position = ?
                    WHERE id = ? RETURNING last_seq, last_change
                    """, transaction.now, position, conversation
                ) { Place(seq: $0.int64(0), change: $0.int64(1), position: position) }
            }
        guard let place else { throw MissingRow(table: "conversations") }
        return place
    }

    private static func insert(
        _ message: Message, hiddenFrom: ID<User>?, in database: Database
    ) throws {
        try database.run(
            """
            INSERT INTO messages (
                id, conversation_id, sender_id, client_message_id, seq, change, type, body, created_at,
                reply_to_id, hidden_from)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, message.id, message.conversationID, message.senderID, message.clientMessageID, message.seq,
            message.change, message.type.rawValue, message.body, message.createdAt, message.replyToID,
            hiddenFrom)
    }

    /// What the peer never gets is still news to the sender's other devices.
    private static func touch(
        _ conversation: ID<Conversation>, for user: ID<User>, position: Int64, in database: Database
    ) throws {
        try database.run(
            "UPDATE members SET position = ? WHERE conversation_id = ? AND user_id = ?", position,
            conversation, user)
    }
}

extension MessageAck {
    init(_ message: Message) {
        self.init(
            clientMessageID: message.clientMessageID, id: message.id, conversationID: message.conversationID,
            seq: message.seq, change: message.change, createdAt: message.createdAt)
    }
}
