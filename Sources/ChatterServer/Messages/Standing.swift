import ChatterModel
import SQLite

/// Everything that decides about one send, read in one query.
struct Standing {
    let peer: ID<User>
    let isPeerDeleted: Bool
    let areFriends: Bool
    /// A block stands between the two, whoever set it.
    let isSeparated: Bool
    /// Archived and not muted: a new message brings the chat back.
    let isArchived: Bool
    let isPeerArchived: Bool
    /// The message that took this `clientMessageID` before, if any.
    let earlier: EarlierSend?

    /// nil when the user is no member and never used this id.
    static func read(
        _ draft: MessageDraft, by user: ID<User>, now: Timestamp, in database: Database
    ) throws -> Standing? {
        try database.first(
            """
            SELECT p.id, p.deleted_at IS NOT NULL, f.user_id IS NOT NULL, z.user_id IS NOT NULL,
                m.archived AND (m.muted_until IS NULL OR m.muted_until <= ?4),
                o.archived AND (o.muted_until IS NULL OR o.muted_until <= ?4),
                x.id, x.conversation_id, x.seq, COALESCE(x.first_change, x.change), x.created_at
            FROM (SELECT 1) one
            LEFT JOIN messages x ON x.sender_id = ?1 AND x.client_message_id = ?3
            LEFT JOIN members m ON m.conversation_id = ?2 AND m.user_id = ?1
            LEFT JOIN conversations c ON c.id = m.conversation_id
            LEFT JOIN users p ON p.id = CASE WHEN c.pair_low = ?1 THEN c.pair_high ELSE c.pair_low END
            LEFT JOIN members o ON o.conversation_id = c.id AND o.user_id = p.id
            LEFT JOIN friendships f ON f.user_id = ?1 AND f.friend_id = p.id AND f.removed_at IS NULL
            LEFT JOIN frozen_views z ON z.viewer_id = ?1 AND z.user_id = p.id
            WHERE x.id IS NOT NULL OR m.user_id IS NOT NULL
            """, user, draft.conversation, draft.clientMessageID, now
        ) { row in
            Standing(
                peer: row.id(0), isPeerDeleted: row.bool(1), areFriends: row.bool(2),
                isSeparated: row.bool(3), isArchived: row.bool(4), isPeerArchived: row.bool(5),
                earlier: row.isNull(6)
                    ? nil
                    : EarlierSend(
                        id: row.id(6), conversation: row.id(7), seq: row.int64(8), change: row.int64(9),
                        createdAt: row.timestamp(10)))
        }
    }

    /// True when the message is taken but never reaches the peer, who has blocked the sender.
    func allowsSending(by user: ID<User>, in database: Database) throws -> Bool {
        guard !isPeerDeleted else { throw APIError(.userDeleted, "this account was deleted") }
        if isSeparated, try BlockQueries.exists(by: user, of: peer, in: database) {
            throw APIError(.blocked, "you have blocked this user")
        }
        guard areFriends else { throw APIError(.notFriends, "only friends can send messages") }
        return isSeparated
    }
}

/// A message that was committed under the same `clientMessageID`.
struct EarlierSend {
    let id: ID<Message>
    let conversation: ID<Conversation>
    let seq: Int64
    let change: Int64
    let createdAt: Timestamp

    /// The first answer again; throws ID_REUSED unless it was the same message.
    func answer(to draft: MessageDraft, in database: Database) throws -> MessageAck {
        let isSame = try database.first(
            "SELECT type, body, body_mark, reply_to_id FROM messages WHERE id = ?", id
        ) { row in
            // By bytes: to Swift, two spellings of `é` are equal. Of a deleted text only its mark is left.
            let sameBody =
                row.isNull(2)
                ? row.text(1).utf8.elementsEqual(draft.body.utf8) : row.text(2) == BodyMark.of(draft.body)
            return sameBody && row.text(0) == MessageType.text.rawValue
                && row.optionalText(3) == draft.replyTo?.rawValue
        }
        guard conversation == draft.conversation, isSame == true else {
            throw APIError(.idReused, "this clientMessageId was used for another message")
        }
        return MessageAck(
            clientMessageID: draft.clientMessageID, id: id, conversationID: conversation, seq: seq,
            change: change, createdAt: createdAt)
    }
}

/// Tells a deleted message's text from another without keeping it: 16 bits of a digest, too few to guess it from.
enum BodyMark {
    static func of(_ body: String) -> String { hexadecimal(Array(sha256(Array(body.utf8)).prefix(2))) }
}
