import ChatterModel
import SQLite

/// Pages of a conversation's messages, as one member sees them. Hidden rows are left out before the limit counts,
/// so that a page is short only where the history ends or its text is very long; `hasMore` says which.
enum HistoryQueries {
    /// Which page: the newest, or one next to what the client holds.
    enum Place: Sendable, Equatable {
        case newest
        case beforeSeq(Int64)
        case afterSeq(Int64)
        /// By mutation: new, deleted and edited messages, those with the lowest changes first.
        case afterChange(Int64)
    }

    /// Throws NOT_FOUND when the conversation is not this user's.
    static func page(
        _ place: Place, of conversation: ID<Conversation>, for user: ID<User>, limit: Int,
        in database: Database
    ) throws -> MessagePage {
        guard let extent = try Extent.of(conversation, for: user, in: database) else {
            throw ConversationQueries.notFound
        }
        let found = try select(
            place, of: conversation, for: user, above: extent.joinedSeq, limit: limit + 1, in: database)
        let taken = PageSize.fitting(found.prefix(limit)) { $0.body.utf8.count }
        return MessagePage(
            messages: taken.sorted { $0.seq < $1.seq }, hasMore: taken.count < found.count,
            lastSeq: extent.lastSeq, lastChange: extent.lastChange)
    }

    private static func select(
        _ place: Place, of conversation: ID<Conversation>, for user: ID<User>, above joinedSeq: Int64,
        limit: Int,
        in database: Database
    ) throws -> [Message] {
        let (condition, bound, order) =
            switch place {
            case .newest: ("x.seq < ?4", Int64.max, "x.seq DESC")
            case .beforeSeq(let seq): ("x.seq < ?4", seq, "x.seq DESC")
            case .afterSeq(let seq): ("x.seq > ?4", seq, "x.seq")
            case .afterChange(let change): ("x.change > ?4", change, "x.change")
            }
        return try database.all(
            """
            SELECT \(MessageColumns.all) FROM messages x
            WHERE x.conversation_id = ?2 AND x.seq > ?3 AND \(condition) AND \(MessageColumns.isVisible)
            ORDER BY \(order) LIMIT ?5
            """, user, conversation, joinedSeq, bound, limit
        ) { MessageColumns.message($0) }
    }

    /// How far a conversation goes, for one member.
    struct Extent: Equatable {
        let joinedSeq: Int64
        let lastSeq: Int64
        let lastChange: Int64

        /// nil when the user is no member.
        static func of(
            _ conversation: ID<Conversation>, for user: ID<User>, in database: Database
        ) throws -> Extent? {
            try database.first(
                """
                SELECT m.joined_seq, c.last_seq, c.last_change
                FROM members m JOIN conversations c ON c.id = m.conversation_id
                WHERE m.conversation_id = ? AND m.user_id = ?
                """, conversation, user
            ) { Extent(joinedSeq: $0.int64(0), lastSeq: $0.int64(1), lastChange: $0.int64(2)) }
        }
    }
}

/// How much text one answer holds.
enum PageSize {
    private static let bytes = 1024 * 1024

    /// As many as fit, and always the first.
    static func fitting<Item>(_ items: ArraySlice<Item>, cost: (Item) -> Int) -> ArraySlice<Item> {
        var used = 0
        return items.prefix { item in
            let isFirst = used == 0
            used += cost(item) + 1
            return isFirst || used <= bytes
        }
    }
}
