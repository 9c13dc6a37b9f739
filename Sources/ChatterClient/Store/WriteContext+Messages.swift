import ChatterModel
import SQLite

extension WriteContext {
    /// The message that an ack confirms: what was written here with what the server gave it. nil when no row is here.
    func message(acknowledgedBy ack: MessageAck) throws -> Message? {
        try database.first(
            """
            SELECT conversationID, type, body, replyToID FROM messages
            WHERE clientMessageID = ? AND isMine = 1
            """, ack.clientMessageID.rawValue
        ) { row in
            Message(
                id: ack.id, clientMessageID: ack.clientMessageID, conversationID: row.id(0), senderID: me,
                seq: ack.seq, change: ack.change, type: MessageType(rawValue: row.text(1)),
                body: row.text(2), createdAt: ack.createdAt, replyToID: row.optionalID(3))
        }
    }

    /// Hides a message for this account for ever; one that is not here is remembered for when it comes. Answers what
    /// the row was when that hid it.
    func hide(_ hidden: HiddenMessage) throws -> RowFacts? {
        let row = try database.first(
            """
            SELECT seq, isMine, deletedAt IS NULL AND deletion IS NULL, hidden FROM messages WHERE id = ?
            """, hidden.messageID.rawValue
        ) { row in
            (
                facts: RowFacts(seq: row.int64(0), isMine: row.bool(1), isVisible: row.bool(2)),
                isHidden: row.bool(3)
            )
        }
        guard let row else {
            try database.run(
                "INSERT INTO hiddenMarks VALUES (?, ?) ON CONFLICT DO NOTHING", hidden.messageID.rawValue,
                hidden.conversationID.rawValue)
            return nil
        }
        guard !row.isHidden else { return nil }
        try database.run(
            "UPDATE messages SET hidden = 1, deletion = NULL, body = '' WHERE id = ?",
            hidden.messageID.rawValue)
        return row.facts
    }
}
