import ChatterModel
import SQLite

/// Deleting a message, for oneself or for everyone. Both are idempotent.
enum DeletionQueries {
    /// How long after sending a message can be deleted for everyone, by the server's clock.
    static let window = Duration.seconds(48 * 3600)

    /// Throws NOT_FOUND for a message that the user can't see, and for everyone's FORBIDDEN: to all but the sender,
    /// and after 48 hours.
    static func delete(
        _ id: ID<Message>, for scope: DeletionScope, by user: ID<User>, in transaction: WriteTransaction
    ) throws -> Message {
        guard let target = try find(id, for: user, in: transaction.database) else {
            throw APIError(.notFound, "there is no such message")
        }
        switch scope {
        case .me: return try hide(target, for: user, in: transaction)
        case .everyone: return try erase(target, by: user, in: transaction)
        }
    }

    // MARK: - For oneself

    private static func hide(
        _ target: Target, for user: ID<User>, in transaction: WriteTransaction
    ) throws -> Message {
        var message = target.message
        message.hidden = true
        guard !target.isHidden else { return message }
        let position = transaction.nextPosition()
        try transaction.database.run(
            "INSERT INTO hidden_messages (user_id, message_id, conversation_id, position) VALUES (?, ?, ?, ?)",
            user, message.id, message.conversationID, position)
        // The preview and the unread count may be others now.
        try transaction.database.run(
            "UPDATE members SET position = ? WHERE conversation_id = ? AND user_id = ?", position,
            message.conversationID, user)
        transaction.publish(.messageUpdated(message), to: user)
        return message
    }

    // MARK: - For everyone

    /// Empties the row; nothing else on the server holds the text. A block does not stand in the way: whoever
    /// takes back what they wrote must succeed.
    private static func erase(
        _ target: Target, by user: ID<User>, in transaction: WriteTransaction
    ) throws -> Message {
        var message = target.message
        guard message.senderID == user else {
            throw APIError(.forbidden, "only its sender can delete a message for everyone")
        }
        if message.deletedAt == nil {
            guard transaction.now <= message.createdAt.advanced(by: window) else {
                throw APIError(.forbidden, "a message can be deleted for everyone within 48 hours")
            }
            message = try erase(message, hiddenFrom: target.hiddenFrom, in: transaction)
            try publish(message, target, in: transaction)
        }
        if target.isHidden { message.hidden = true }
        return message
    }

    private static func erase(
        _ message: Message, hiddenFrom: ID<User>?, in transaction: WriteTransaction
    ) throws -> Message {
        let database = transaction.database
        var erased = message
        erased.change = try nextChange(of: message, isHidden: hiddenFrom != nil, in: transaction)
        erased.deletedAt = transaction.now
        erased.body = ""
        try database.run(
            """
            UPDATE messages SET body = '', body_mark = ?, deleted_at = ?, change = ?,
                first_change = COALESCE(first_change, change)
            WHERE id = ?
            """, BodyMark.of(message.body), erased.deletedAt, erased.change, message.id)
        return erased
    }

    /// The change of a message that the peer never got is only its sender's affair.
    private static func nextChange(
        of message: Message, isHidden: Bool, in transaction: WriteTransaction
    ) throws -> Int64 {
        let database = transaction.database
        let position = transaction.nextPosition()
        if isHidden {
            try database.run(
                "UPDATE members SET position = ? WHERE conversation_id = ? AND user_id = ?", position,
                message.conversationID, message.senderID)
        } else {
            try database.run(
                "UPDATE conversations SET position = ? WHERE id = ?", position, message.conversationID)
        }
        let change = try database.first(
            "UPDATE conversations SET last_change = last_change + 1 WHERE id = ? RETURNING last_change",
            message.conversationID
        ) { $0.int64(0) }
        guard let change else { throw MissingRow(table: "conversations") }
        return change
    }

    private static func publish(
        _ message: Message, _ target: Target, in transaction: WriteTransaction
    ) throws {
        let members: [ID<User>] = try transaction.database.all(
            "SELECT user_id FROM members WHERE conversation_id = ?", message.conversationID
        ) { $0.id(0) }
        transaction.publish(.messageUpdated(message), to: members.filter { $0 != target.hiddenFrom })
    }

    // MARK: - Reading

    private struct Target {
        let message: Message
        let hiddenFrom: ID<User>?
        /// Deleted by this user for themselves.
        let isHidden: Bool
    }

    private static func find(
        _ id: ID<Message>, for user: ID<User>, in database: Database
    ) throws -> Target? {
        try database.first(
            """
            SELECT \(MessageColumns.all), x.hidden_from,
                EXISTS (SELECT 1 FROM hidden_messages h WHERE h.user_id = ?1 AND h.message_id = x.id)
            FROM messages x JOIN members m ON m.conversation_id = x.conversation_id AND m.user_id = ?1
            WHERE x.id = ?2 AND x.seq > m.joined_seq AND (x.hidden_from IS NULL OR x.hidden_from <> ?1)
            """, user, id
        ) { row in
            Target(
                message: MessageColumns.message(row), hiddenFrom: row.optionalID(12), isHidden: row.bool(13))
        }
    }
}
