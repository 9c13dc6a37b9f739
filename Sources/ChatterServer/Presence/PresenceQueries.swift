import ChatterModel
import SQLite

/// Who may see whom online: friends, unless either hides it or a block stands between them.
enum PresenceQueries {
    /// Of `u`, for `viewer` (a row of `users`) with `SeenUser.frozenView` joined.
    static let columns = """
        u.last_seen_at, u.last_seen_visibility = 'friends' AND viewer.last_seen_visibility = 'friends'
            AND z.version IS NULL AND u.deleted_at IS NULL
        """

    /// Every friend's presence as `user` sees it now; offline and without a last seen where it is hidden.
    static func friends(
        of user: ID<User>, presence: PresenceBoard, now: Timestamp, in database: Database
    ) throws -> [Presence] {
        try database.all(
            """
            SELECT u.id, \(columns) FROM friendships f
            JOIN users u ON u.id = f.friend_id
            JOIN users viewer ON viewer.id = f.user_id
            \(SeenUser.frozenView)
            WHERE f.user_id = ?1 AND f.removed_at IS NULL
            """, user
        ) { row in
            presence.presence(of: row.id(0), row, at: 1, now: now)
        }
    }

    /// `other`'s presence as `user` sees it; nil when they are not friends.
    static func presence(
        of other: ID<User>, for user: ID<User>, presence: PresenceBoard, now: Timestamp, in database: Database
    ) throws -> Presence? {
        try database.first(
            """
            SELECT \(columns) FROM friendships f
            JOIN users u ON u.id = f.friend_id
            JOIN users viewer ON viewer.id = f.user_id
            \(SeenUser.frozenView)
            WHERE f.user_id = ?1 AND f.friend_id = ?2 AND f.removed_at IS NULL
            """, user, other
        ) { row in
            presence.presence(of: other, row, at: 0, now: now)
        }
    }

    /// Tells friends that `user` came or went. Those who may not see it hear nothing.
    static func publish(_ user: ID<User>, presence: PresenceBoard, in transaction: WriteTransaction) throws {
        let database = transaction.database
        let isHidden = try database.first(
            "SELECT last_seen_visibility <> 'friends' OR deleted_at IS NOT NULL FROM users WHERE id = ?", user
        ) { $0.bool(0) }
        guard isHidden == false else { return }
        let friends: [ID<User>] = try database.all(
            """
            SELECT f.friend_id FROM friendships f JOIN users u ON u.id = f.friend_id
            WHERE f.user_id = ?1 AND f.removed_at IS NULL AND u.last_seen_visibility = 'friends'
                AND NOT EXISTS (SELECT 1 FROM frozen_views z WHERE z.viewer_id = f.friend_id AND z.user_id = ?1)
            """, user
        ) { $0.id(0) }
        let lastSeen = try lastSeen(of: user, in: database)
        let state = presence.presence(of: user, lastSeenAt: lastSeen, now: transaction.now)
        transaction.publish(.presenceUpdated(state), to: friends)
    }

    /// After a change of privacy or of a block: each sees of the other what is now to be seen.
    static func publishBetween(
        _ user: ID<User>, _ other: ID<User>, presence: PresenceBoard, in transaction: WriteTransaction
    ) throws {
        for (viewer, subject) in [(user, other), (other, user)] {
            let state = try Self.presence(
                of: subject, for: viewer, presence: presence, now: transaction.now, in: transaction.database)
            if let state { transaction.publish(.presenceUpdated(state), to: viewer) }
        }
    }

    /// After `user` changed who sees when they were last online: it holds in both directions.
    static func publishVisibility(
        of user: ID<User>, presence: PresenceBoard, in transaction: WriteTransaction
    ) throws {
        let friends: [ID<User>] = try transaction.database.all(
            "SELECT friend_id FROM friendships WHERE user_id = ? AND removed_at IS NULL", user
        ) { $0.id(0) }
        for friend in friends {
            try publishBetween(user, friend, presence: presence, in: transaction)
        }
    }

    private static func lastSeen(of user: ID<User>, in database: Database) throws -> Timestamp? {
        try database.first("SELECT last_seen_at FROM users WHERE id = ?", user) { $0.optionalTimestamp(0) }
            ?? nil
    }
}
