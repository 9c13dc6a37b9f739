import ChatterModel
import SQLite

/// Finding people. Nobody finds themselves, an account without a complete profile, a deleted one, or anyone that a
/// block stands before, whoever set it.
enum UserSearch {
    enum Term: Sendable, Equatable {
        /// A literal prefix of usernames, folded.
        case prefix(String)
        /// E.164.
        case phone(String)
        /// Nobody's name can start so.
        case impossible
    }

    static func find(
        _ term: Term, by user: ID<User>, workspace: ID<Workspace>, in database: Database
    ) throws -> [FoundUser] {
        let (condition, from, to): (String, String, String)
        switch term {
        case .impossible: return []
        case .phone(let phone): (condition, from, to) = ("u.phone BETWEEN ?3 AND ?4", phone, phone)
        case .prefix(let prefix):
            // A range instead of LIKE: `_` and `%` are letters like any other, and the index serves it.
            (condition, from, to) = ("u.username >= ?3 AND u.username < ?4", prefix, prefix + "\u{7f}")
        }
        return try database.all(
            """
            SELECT \(SeenUser.columns), \(Ties.columns) FROM users u \(SeenUser.frozenView) \(Ties.join)
            WHERE u.workspace_id = ?2 AND \(condition) AND u.id <> ?1 AND u.deleted_at IS NULL
                AND u.username IS NOT NULL AND u.display_name IS NOT NULL AND z.version IS NULL
            ORDER BY u.username LIMIT ?5
            """, user, workspace, from, to, Limits.searchResults
        ) { row in
            Ties.found(SeenUser.user(row), row, at: SeenUser.columnCount)
        }
    }

    /// One person by id. Behind a block, or after a deletion, only somebody that `user` shares a friendship or a
    /// conversation with is still there, as they were. Throws NOT_FOUND.
    static func get(
        _ id: ID<User>, by user: ID<User>, workspace: ID<Workspace>, in database: Database
    ) throws -> FoundUser {
        let found: (user: FoundUser, isHidden: Bool)? = try database.first(
            """
            SELECT \(SeenUser.columns), \(Ties.columns),
                u.deleted_at IS NOT NULL OR EXISTS (
                    SELECT 1 FROM blocks b
                    WHERE b.blocker_id = u.id AND b.blocked_id = ?1 AND b.removed_at IS NULL)
            FROM users u \(SeenUser.frozenView) \(Ties.join)
            WHERE u.id = ?2 AND u.workspace_id = ?3
                AND (u.deleted_at IS NOT NULL OR (u.username IS NOT NULL AND u.display_name IS NOT NULL))
            """, user, id, workspace
        ) { row in
            let start = SeenUser.columnCount
            let found = Ties.found(SeenUser.user(row), row, at: start)
            return (found, row.bool(start + Ties.columnCount))
        }
        guard let found, try !found.isHidden || areTied(user, id, in: database) else {
            throw APIError(.notFound, "there is no such user")
        }
        return found.user
    }

    /// Whether the two share a friendship or a conversation.
    static func areTied(_ user: ID<User>, _ other: ID<User>, in database: Database) throws -> Bool {
        try database.first(
            """
            SELECT EXISTS (
                SELECT 1 FROM friendships WHERE user_id = ?1 AND friend_id = ?2 AND removed_at IS NULL
            ) OR EXISTS (
                SELECT 1 FROM members m JOIN members o ON o.conversation_id = m.conversation_id
                WHERE m.user_id = ?1 AND o.user_id = ?2 AND m.user_id <> o.user_id)
            """, user, other
        ) { $0.bool(0) } ?? false
    }
}

/// What is between a viewer (`?1`) and a person (`u`): friendship or a pending request.
enum Ties {
    static let columnCount = 3
    static let columns = "f.user_id IS NOT NULL, q.id, q.from_user = ?1"
    static let join = """
        LEFT JOIN friendships f ON f.user_id = ?1 AND f.friend_id = u.id AND f.removed_at IS NULL
        LEFT JOIN friend_requests q ON q.status = 'pending'
            AND q.pair_low = CASE WHEN u.id < ?1 THEN u.id ELSE ?1 END
            AND q.pair_high = CASE WHEN u.id < ?1 THEN ?1 ELSE u.id END
            AND (q.from_user = ?1 OR q.hidden = 0)
        """

    static func found(_ user: User, _ row: borrowing Row, at start: Int) -> FoundUser {
        let request: ID<FriendRequest>? = row.isNull(start + 1) ? nil : row.id(start + 1)
        let status: FriendshipStatus =
            if row.bool(start) {
                .friends
            } else if request == nil {
                .none
            } else {
                row.bool(start + 2) ? .requestSent : .requestReceived
            }
        return FoundUser(
            user: user, friendshipStatus: status, requestID: status == .friends ? nil : request)
    }
}
