import ChatterModel
import SQLite

/// The one way a message gets in, by socket, by REST and from the echo bot.
///
/// The hot path: one query reads everything that decides, three statements write. Nothing grows with the number
/// of messages.
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
        let receipt = try moveOwnWatermarks(
            standing, by: user, past: message, position: place.position, in: transaction)
        publish(message, receipt: receipt, standing, isHidden: isHidden, origin: origin, in: transaction)
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

    /// Whoever answers has read what reached them; docs/decisions/0042. The answer is what others are to hear of
    /// it: nil unless the read watermark passed something new.
    private static func moveOwnWatermarks(
        _ standing: Standing, by user: ID<User>, past message: Message, position: Int64,
        in transaction: WriteTransaction
    ) throws -> Receipt? {
        let previous = message.seq - 1
        let isUpToDate = standing.deliveredSeq >= previous
        let delivered = isUpToDate ? message.seq : standing.deliveredSeq
        let read = isUpToDate ? message.seq : standing.deliveredSeq
        try transaction.database.run(
            """
            UPDATE members SET delivered_seq = ?, read_seq = ?, position = ?
            WHERE conversation_id = ? AND user_id = ?
            """, delivered, read, position, message.conversationID, user)
        guard standing.readSeq < min(read, previous) else { return nil }
        return Receipt(
            conversationID: message.conversationID, userID: user, lastDeliveredSeq: delivered,
            lastReadSeq: read)
    }

    private static func publish(
        _ message: Message, receipt: Receipt?, _ standing: Standing, isHidden: Bool, origin: ConnectionID?,
        in transaction: WriteTransaction
    ) {
        let audience = isHidden ? [message.senderID] : [message.senderID, standing.peer]
        transaction.publish(.messageNew(message), to: audience, except: origin)
        if let receipt { transaction.publish(.receiptUpdated(receipt), to: audience) }
    }
}

extension MessageAck {
    init(_ message: Message) {
        self.init(
            clientMessageID: message.clientMessageID, id: message.id, conversationID: message.conversationID,
            seq: message.seq, change: message.change, createdAt: message.createdAt)
    }
}
