import ChatterModel
import SQLite

/// A row of `messages` as the wire's `Message`. Queries that use it name the row `x`.
enum MessageColumns {
    static let all = """
        x.id, x.client_message_id, x.conversation_id, x.sender_id, x.seq, x.change, x.type, x.body, x.created_at,
        x.edited_at, x.deleted_at, x.reply_to_id
        """

    /// Whether `?1` may see it: not sent to them while they had blocked the sender, not deleted for themselves.
    static let isVisible = """
        (x.hidden_from IS NULL OR x.hidden_from <> ?1)
        AND NOT EXISTS (SELECT 1 FROM hidden_messages h WHERE h.user_id = ?1 AND h.message_id = x.id)
        """

    static func message(_ row: borrowing Row) -> Message {
        Message(
            id: row.id(0), clientMessageID: ClientMessageID(checked: row.text(1)), conversationID: row.id(2),
            senderID: row.id(3), seq: row.int64(4), change: row.int64(5),
            type: MessageType(rawValue: row.text(6)), body: row.text(7), createdAt: row.timestamp(8),
            editedAt: row.optionalTimestamp(9), deletedAt: row.optionalTimestamp(10),
            replyToID: row.optionalID(11))
    }
}
