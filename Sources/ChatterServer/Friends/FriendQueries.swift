import ChatterModel
import SQLite

/// Friendships: two rows each, one for either side, with a position of its own.
enum FriendQueries {
    /// `other` among `user`'s friends; nil when they are not friends.
    static func friend(
        _ other: ID<User>, of user: ID<User>, presence: PresenceBoard, now: Timestamp, in database: Database
    ) throws -> Friend? {
        try database.first(
            "\(select) WHERE f.user_id = ?1 AND f.friend_id = ?2 AND f.removed_at IS NULL", user, other
        ) { friend($0, presence: presence, now: now) }
    }

    /// Ordered by id, those above `after`.
    static func list(
        of user: ID<User>, after: ID<User>?, limit: Int, presence: PresenceBoard, now: Timestamp,
        in database: Database
    ) throws -> [Friend] {
        try database.all(
            """
            \(select) WHERE f.user_id = ?1 AND f.removed_at IS NULL AND (?2 IS NULL OR f.friend_id > ?2)
            ORDER BY f.friend_id LIMIT ?3
            """, user, after, limit
        ) { friend($0, presence: presence, now: now) }
    }

    /// A friendship in `select`'s columns.
    static func friend(_ row: borrowing Row, presence: PresenceBoard, now: Timestamp) -> Friend {
        let user = SeenUser.user(row)
        let start = SeenUser.columnCount
        return Friend(
            user: user, since: row.timestamp(start),
            presence: presence.presence(of: user.id, row, at: start + 2, now: now),
            version: row.int64(start + 1))
    }

    /// Binds the user as `?1`.
    static let select = """
        SELECT \(SeenUser.columns), f.since, f.position, \(PresenceQueries.columns)
        FROM friendships f JOIN users u ON u.id = f.friend_id
        JOIN users viewer ON viewer.id = f.user_id
        \(SeenUser.frozenView)
        """

    static func insert(_ pair: Pair, in transaction: WriteTransaction) throws {
        for (user, friend) in [(pair.low, pair.high), (pair.high, pair.low)] {
            try transaction.database.run(
                """
                INSERT INTO friendships (user_id, friend_id, since, position) VALUES (?, ?, ?, ?)
                ON CONFLICT (user_id, friend_id) DO UPDATE
                SET since = excluded.since, removed_at = NULL, position = excluded.position
                """, user, friend, transaction.now, transaction.nextPosition())
        }
    }

    /// Ends a friendship on both sides; does nothing when there is none.
    static func remove(_ other: ID<User>, from user: ID<User>, in transaction: WriteTransaction) throws {
        for (user, friend) in [(user, other), (other, user)] {
            let position = transaction.nextPosition()
            try transaction.database.run(
                """
                UPDATE friendships SET removed_at = ?, position = ?
                WHERE user_id = ? AND friend_id = ? AND removed_at IS NULL
                """, transaction.now, position, user, friend)
            guard transaction.database.changes > 0 else { return }
            transaction.publish(.friendRemoved(Removed(userID: friend, version: position)), to: user)
        }
    }

    static func endAll(of user: ID<User>, in transaction: WriteTransaction) throws {
        let friends: [ID<User>] = try transaction.database.all(
            "SELECT friend_id FROM friendships WHERE user_id = ? AND removed_at IS NULL", user
        ) { $0.id(0) }
        for friend in friends { try remove(friend, from: user, in: transaction) }
    }
}
