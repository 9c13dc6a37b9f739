import ChatterModel
import SQLite

/// Blocks. While one stands between two people, whoever set it, each sees the other as they were when it began;
/// docs/blocking.md lists what passes.
enum BlockQueries {
    static func exists(by user: ID<User>, of other: ID<User>, in database: Database) throws -> Bool {
        try database.first(
            "SELECT 1 FROM blocks WHERE blocker_id = ? AND blocked_id = ? AND removed_at IS NULL", user, other
        ) { _ in true } ?? false
    }

    /// Idempotent. Throws VALIDATION_FAILED for oneself, NOT_FOUND, USER_DELETED.
    static func block(
        _ other: ID<User>, by user: ID<User>, workspace: ID<Workspace>, presence: PresenceBoard,
        in transaction: WriteTransaction
    ) throws -> Block {
        let database = transaction.database
        let relation = try Relation.of(user, to: other, workspace: workspace, in: database)
        guard !relation.isDeleted else { throw APIError(.userDeleted, "this account was deleted") }
        if !relation.blocksOther {
            try insert(by: user, of: other, in: transaction)
            try endRequest(between: user, and: other, in: transaction)
            transaction.publish(.syncChanged, to: user)
            try PresenceQueries.publishBetween(user, other, presence: presence, in: transaction)
        }
        let block = try database.first("\(select) AND b.blocked_id = ?2", user, other) { Self.block($0) }
        guard let block else { throw MissingRow(table: "blocks") }
        return block
    }

    /// Ordered by id, those above `after`.
    static func list(
        of user: ID<User>, after: ID<User>?, limit: Int, in database: Database
    ) throws -> [Block] {
        try database.all(
            """
            \(select) AND b.removed_at IS NULL AND (?2 IS NULL OR b.blocked_id > ?2)
            ORDER BY b.blocked_id LIMIT ?3
            """, user, after, limit
        ) { Self.block($0) }
    }

    /// Binds the blocker as `?1`.
    static let select = """
        SELECT \(SeenUser.columns), b.created_at, b.position
        FROM blocks b JOIN users u ON u.id = b.blocked_id \(SeenUser.frozenView)
        WHERE b.blocker_id = ?1
        """

    /// A block in `select`'s columns.
    static func block(_ row: borrowing Row) -> Block {
        Block(
            user: SeenUser.user(row), createdAt: row.timestamp(SeenUser.columnCount),
            version: row.int64(SeenUser.columnCount + 1))
    }

    private static func insert(
        by user: ID<User>, of other: ID<User>, in transaction: WriteTransaction
    ) throws {
        try transaction.database.run(
            """
            INSERT INTO blocks (blocker_id, blocked_id, created_at, position) VALUES (?, ?, ?, ?)
            ON CONFLICT (blocker_id, blocked_id) DO UPDATE
            SET created_at = excluded.created_at, removed_at = NULL, position = excluded.position
            """, user, other, transaction.now, transaction.nextPosition())
        try FrozenView.freeze(user, seenBy: other, in: transaction.database)
        try FrozenView.freeze(other, seenBy: user, in: transaction.database)
    }

    /// One's own request is taken back; the other's goes on looking pending to them.
    private static func endRequest(
        between user: ID<User>, and other: ID<User>, in transaction: WriteTransaction
    ) throws {
        let pending = try FriendRequestRow.pending(between: Pair(user, other), in: transaction.database)
        guard let pending else { return }
        if pending.from == user {
            try FriendRequestQueries.close(pending, as: .cancelled, in: transaction)
        } else {
            try FriendRequestQueries.withdraw(pending, in: transaction)
        }
    }

    // MARK: - The end of a block

    /// Idempotent. What was kept from either is shown again; messages sent meanwhile stay undelivered.
    static func unblock(
        _ other: ID<User>, by user: ID<User>, presence: PresenceBoard, in transaction: WriteTransaction
    ) throws {
        let database = transaction.database
        try database.run(
            """
            UPDATE blocks SET removed_at = ?, position = ?
            WHERE blocker_id = ? AND blocked_id = ? AND removed_at IS NULL
            """, transaction.now, transaction.nextPosition(), user, other)
        guard database.changes > 0 else { return }
        transaction.publish(.syncChanged, to: user)
        guard try !exists(by: other, of: user, in: database) else { return }

        try FrozenView.thaw(other, seenBy: user, in: transaction)
        try FrozenView.thaw(user, seenBy: other, in: transaction)
        try ConversationQueries.republish(Pair(user, other), in: transaction)
        try PresenceQueries.publishBetween(user, other, presence: presence, in: transaction)
    }

    /// For an account that ends: nobody is left whom its blocks protect.
    static func forgetAll(by user: ID<User>, in database: Database) throws {
        try database.run("DELETE FROM blocks WHERE blocker_id = ?", user)
        let freed: [ID<User>] = try database.all(
            """
            SELECT z.user_id FROM frozen_views z
            WHERE z.viewer_id = ?1 AND NOT EXISTS (
                SELECT 1 FROM blocks b
                WHERE b.blocker_id = z.user_id AND b.blocked_id = ?1 AND b.removed_at IS NULL)
            """, user
        ) { $0.id(0) }
        for other in freed { try FrozenView.forget(user, other, in: database) }
    }
}
