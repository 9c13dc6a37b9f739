import ChatterModel
import SQLite

/// Opening, reading and listing conversations. A direct one is one per unordered pair of people.
enum ConversationQueries {
    /// The pair's conversation, made when there is none yet. Throws VALIDATION_FAILED for oneself and NOT_FOUND;
    /// for a new one also USER_DELETED, BLOCKED and NOT_FRIENDS.
    static func openDirect(
        with other: ID<User>, by user: ID<User>, workspace: ID<Workspace>, in transaction: WriteTransaction
    ) throws -> Conversation {
        let database = transaction.database
        let relation = try Relation.of(user, to: other, workspace: workspace, in: database)
        let pair = Pair(user, other)
        if let id = try find(pair, in: database) {
            return try get(id, for: user, now: transaction.now, in: database)
        }
        guard !relation.isDeleted else { throw APIError(.userDeleted, "this account was deleted") }
        guard !relation.blocksOther else { throw APIError(.blocked, "you have blocked this user") }
        guard relation.areFriends else { throw APIError(.notFriends, "only friends can chat") }

        let id = try insert(pair, workspace: workspace, in: transaction)
        try publish(id, to: user, in: transaction)
        if !relation.isBlockedByOther { try publish(id, to: other, in: transaction) }
        return try get(id, for: user, now: transaction.now, in: database)
    }

    /// Throws NOT_FOUND when it is not this user's.
    static func get(
        _ id: ID<Conversation>, for user: ID<User>, now: Timestamp, in database: Database
    ) throws -> Conversation {
        let view = ConversationView(viewer: user, now: now, database: database)
        guard let conversation = try view.conversation(id) else { throw notFound }
        return conversation
    }

    /// Those of `user` that changed after `position`, the longest unchanged first: ids and versions.
    ///
    /// One that somebody opened while the user had blocked them is left out: nothing of it is for the user.
    static func changed(
        for user: ID<User>, after position: Int64, limit: Int, in database: Database
    ) throws -> [(id: ID<Conversation>, version: Int64)] {
        try database.all(
            """
            SELECT c.id, CASE WHEN c.position > m.position THEN c.position ELSE m.position END AS version
            FROM members m JOIN conversations c ON c.id = m.conversation_id
            WHERE m.user_id = ?1 AND (c.position > ?2 OR m.position > ?2) AND NOT EXISTS (
                SELECT 1 FROM frozen_views z JOIN blocks b ON b.blocker_id = z.viewer_id AND b.blocked_id = z.user_id
                WHERE z.viewer_id = ?1 AND z.last_seq IS NULL AND b.removed_at IS NULL
                    AND z.user_id = CASE WHEN c.pair_low = ?1 THEN c.pair_high ELSE c.pair_low END)
            ORDER BY version LIMIT ?3
            """, user, position, limit
        ) { ($0.id(0), $0.int64(1)) }
    }

    /// A page of those that changed after `cursor`. Its `nextCursor` is always there: where the next call goes on.
    static func page(
        for user: ID<User>, after cursor: SyncCursor, limit: Int, now: Timestamp, in database: Database
    ) throws -> Page<Conversation> {
        let changed = try changed(for: user, after: cursor.position, limit: limit, in: database)
        let next = SyncCursor(epoch: cursor.epoch, position: changed.last?.version ?? cursor.position)
        return Page(
            items: try changed.map { try get($0.id, for: user, now: now, in: database) },
            nextCursor: next.text)
    }

    static func find(_ pair: Pair, in database: Database) throws -> ID<Conversation>? {
        try database.first(
            "SELECT id FROM conversations WHERE pair_low = ? AND pair_high = ?", pair.low, pair.high
        ) { $0.id(0) }
    }

    /// To the devices of one member, as they see it.
    static func publish(
        _ id: ID<Conversation>, to user: ID<User>, in transaction: WriteTransaction
    ) throws {
        let seen = try get(id, for: user, now: transaction.now, in: transaction.database)
        transaction.publish(.conversationUpdated(seen), to: user)
    }

    /// Gives a pair's conversation, if there is one, a new version for both: what each sees of it has changed.
    static func republish(_ pair: Pair, in transaction: WriteTransaction) throws {
        let database = transaction.database
        guard let id = try find(pair, in: database) else { return }
        try database.run(
            "UPDATE conversations SET position = ? WHERE id = ?", transaction.nextPosition(), id)
        try publish(id, to: pair.low, in: transaction)
        try publish(id, to: pair.high, in: transaction)
    }

    static let notFound = APIError(.notFound, "there is no such conversation")

    private static func insert(
        _ pair: Pair, workspace: ID<Workspace>, in transaction: WriteTransaction
    ) throws -> ID<Conversation> {
        let id: ID<Conversation> = transaction.newID()
        let position = transaction.nextPosition()
        try transaction.database.run(
            """
            INSERT INTO conversations (
                id, workspace_id, type, pair_low, pair_high, created_at, last_activity_at, position)
            VALUES (?, ?, 'direct', ?, ?, ?, ?, ?)
            """, id, workspace, pair.low, pair.high, transaction.now, transaction.now, position)
        for user in [pair.low, pair.high] {
            try transaction.database.run(
                "INSERT INTO members (conversation_id, user_id, position) VALUES (?, ?, ?)", id, user,
                position)
        }
        return id
    }
}
