import ChatterModel
import SQLite

/// A member's watermarks: they only move forward and never past the newest message; read implies delivered. Each move
/// leaves its time.
enum ReceiptQueries {
    /// Answers with the watermarks as they are afterwards, moved or not. What moved goes to the others, unless a
    /// block stands between, and a read mark to one's own devices but `origin`. Throws NOT_FOUND.
    static func move(
        _ marks: MoveReceipts, in conversation: ID<Conversation>, by user: ID<User>,
        origin: ConnectionID? = nil, in transaction: WriteTransaction
    ) throws -> Receipt {
        let database = transaction.database
        let read = marks.read ?? 0
        guard
            let moved = try advance(
                delivered: max(marks.delivered ?? 0, read), read: read, in: conversation, by: user,
                transaction)
        else {
            return try current(of: user, in: conversation, database)
        }
        let others = try touch(conversation, for: user, in: transaction)
        // A delivery is news for the sender alone; a read mark lowers the badge of one's own devices too.
        transaction.publish(.receiptUpdated(moved), to: read > 0 ? others + [user] : others, except: origin)
        return moved
    }

    /// One statement clamps, compares and writes; nil when there was nothing to move.
    private static func advance(
        delivered: Int64, read: Int64, in conversation: ID<Conversation>, by user: ID<User>,
        _ transaction: WriteTransaction
    ) throws -> Receipt? {
        try transaction.database.first(
            """
            UPDATE members SET
                delivered_seq = MAX(members.delivered_seq, MIN(?3, c.last_seq)),
                read_seq = MAX(members.read_seq, MIN(?4, c.last_seq)),
                delivered_at = CASE WHEN members.delivered_seq < MIN(?3, c.last_seq) THEN ?6 ELSE members.delivered_at END,
                read_at = CASE WHEN members.read_seq < MIN(?4, c.last_seq) THEN ?6 ELSE members.read_at END,
                position = ?5
            FROM conversations c
            WHERE c.id = ?1 AND members.conversation_id = ?1 AND members.user_id = ?2
                AND (members.delivered_seq < MIN(?3, c.last_seq) OR members.read_seq < MIN(?4, c.last_seq))
            RETURNING \(columns)
            """, conversation, user, delivered, read, transaction.nextPosition(), transaction.now
        ) { receipt($0, of: user, in: conversation) }
    }

    /// Gives the conversation a new version for those who may see it: none of them behind a block.
    private static func touch(
        _ conversation: ID<Conversation>, for user: ID<User>, in transaction: WriteTransaction
    ) throws -> [ID<User>] {
        let peer: ID<User>? = try transaction.database.first(
            """
            UPDATE conversations SET position = ?3
            WHERE id = ?1 AND NOT EXISTS (
                SELECT 1 FROM frozen_views WHERE viewer_id = pair_low AND user_id = pair_high)
            RETURNING CASE WHEN pair_low = ?2 THEN pair_high ELSE pair_low END
            """, conversation, user, transaction.nextPosition()
        ) { $0.id(0) }
        return peer.map { [$0] } ?? []
    }

    private static func current(
        of user: ID<User>, in conversation: ID<Conversation>, _ database: Database
    ) throws -> Receipt {
        let current = try database.first(
            "SELECT \(columns) FROM members WHERE conversation_id = ? AND user_id = ?", conversation, user
        ) { receipt($0, of: user, in: conversation) }
        guard let current else { throw ConversationQueries.notFound }
        return current
    }

    private static let columns = "delivered_seq, read_seq, delivered_at, read_at"

    private static func receipt(
        _ row: borrowing Row, of user: ID<User>, in conversation: ID<Conversation>
    ) -> Receipt {
        Receipt(
            conversationID: conversation, userID: user, lastDeliveredSeq: row.int64(0),
            lastReadSeq: row.int64(1), deliveredAt: row.optionalTimestamp(2),
            readAt: row.optionalTimestamp(3))
    }
}
