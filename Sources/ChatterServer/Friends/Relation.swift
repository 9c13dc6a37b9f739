import ChatterModel
import SQLite

/// What stands between two people of one workspace, read at once before one of them acts towards the other.
struct Relation: Sendable, Equatable {
    var isDeleted: Bool
    var areFriends: Bool
    /// The one who acts has blocked the other.
    var blocksOther: Bool
    var isBlockedByOther: Bool

    /// Throws VALIDATION_FAILED for oneself, NOT_FOUND for an unknown person or one without a complete profile.
    static func of(
        _ user: ID<User>, to other: ID<User>, workspace: ID<Workspace>, in database: Database
    ) throws -> Relation {
        guard user != other else { throw APIError.invalid("userId", "must be somebody else") }
        let relation = try database.first(
            """
            SELECT u.deleted_at IS NOT NULL,
                EXISTS (SELECT 1 FROM friendships
                    WHERE user_id = ?1 AND friend_id = u.id AND removed_at IS NULL),
                EXISTS (SELECT 1 FROM blocks
                    WHERE blocker_id = ?1 AND blocked_id = u.id AND removed_at IS NULL),
                EXISTS (SELECT 1 FROM blocks
                    WHERE blocker_id = u.id AND blocked_id = ?1 AND removed_at IS NULL)
            FROM users u
            WHERE u.id = ?2 AND u.workspace_id = ?3
                AND (u.deleted_at IS NOT NULL OR (u.username IS NOT NULL AND u.display_name IS NOT NULL))
            """, user, other, workspace
        ) { row in
            Relation(
                isDeleted: row.bool(0), areFriends: row.bool(1), blocksOther: row.bool(2),
                isBlockedByOther: row.bool(3))
        }
        guard let relation else { throw APIError(.notFound, "there is no such user") }
        return relation
    }
}

/// An unordered pair of people as the schema stores it.
struct Pair: Sendable, Hashable {
    let low: ID<User>
    let high: ID<User>

    init(_ one: ID<User>, _ other: ID<User>) {
        low = min(one, other)
        high = max(one, other)
    }
}
