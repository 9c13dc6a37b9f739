import ChatterModel
import SQLite

/// What one person goes on seeing of another while a block stands between them.
enum FrozenView {
    /// Keeps how `viewer` sees `user` now. A view that another block froze before stays as it is.
    static func freeze(_ user: ID<User>, seenBy viewer: ID<User>, in database: Database) throws {
        let pair = Pair(user, viewer)
        try database.run(
            """
            INSERT INTO frozen_views (
                viewer_id, user_id, username, display_name, about, avatar_url, version,
                delivered_seq, read_seq, last_seq, delivered_at, read_at)
            SELECT ?1, u.id, u.username, u.display_name, u.about, u.avatar_url, u.position,
                COALESCE(m.delivered_seq, 0), COALESCE(m.read_seq, 0), c.last_seq,
                m.delivered_at, m.read_at
            FROM users u
            LEFT JOIN conversations c ON c.pair_low = ?3 AND c.pair_high = ?4
            LEFT JOIN members m ON m.conversation_id = c.id AND m.user_id = u.id
            WHERE u.id = ?2
            ON CONFLICT (viewer_id, user_id) DO NOTHING
            """, viewer, user, pair.low, pair.high)
    }

    /// Shows `viewer` the present `user` again. A profile that changed meanwhile gets a new version, since its own
    /// may be one that the viewer's sync has passed.
    static func thaw(
        _ user: ID<User>, seenBy viewer: ID<User>, in transaction: WriteTransaction
    ) throws {
        let database = transaction.database
        try database.run(
            """
            UPDATE users SET position = ?3
            WHERE id = ?2 AND position <> (
                SELECT z.version FROM frozen_views z WHERE z.viewer_id = ?1 AND z.user_id = ?2)
            """, viewer, user, transaction.nextPosition())
        let isChanged = database.changes > 0
        try database.run("DELETE FROM frozen_views WHERE viewer_id = ? AND user_id = ?", viewer, user)
        guard isChanged, try UserSearch.areTied(viewer, user, in: database) else { return }
        transaction.publish(.userUpdated(try SeenUser.get(user, by: viewer, in: database)), to: viewer)
    }

    /// Of a pair, in both directions.
    static func forget(_ one: ID<User>, _ other: ID<User>, in database: Database) throws {
        for (viewer, user) in [(one, other), (other, one)] {
            try database.run("DELETE FROM frozen_views WHERE viewer_id = ? AND user_id = ?", viewer, user)
        }
    }
}
