import ChatterModel
import SQLite

/// One's own account.
enum UserQueries {
    /// Throws TOKEN_INVALID for an account that was deleted meanwhile.
    static func me(_ id: ID<User>, in database: Database) throws -> Me {
        guard let me = try AccountQueries.me(id, in: database) else {
            throw APIError(.tokenInvalid, "the account is gone")
        }
        return me
    }

    /// Says why `raw` can't be `user`'s name, or that it can.
    static func availability(
        of raw: String, for user: ID<User>, workspace: ID<Workspace>, in database: Database
    ) throws -> UsernameAvailability {
        let username: String
        do {
            username = try Username.canonical(raw)
        } catch {
            // Folded as far as it goes: the answer names what was asked for.
            if let reserved = try? Username.canonical(raw, allowsReserved: true) {
                return UsernameAvailability(username: reserved, available: false, reason: "reserved")
            }
            return UsernameAvailability(username: raw.lowercased(), available: false, reason: "invalid")
        }
        let owner: ID<User>? = try database.first(
            "SELECT id FROM users WHERE workspace_id = ? AND username = ?", workspace, username
        ) { $0.id(0) }
        let isFree = owner == nil || owner == user
        return UsernameAvailability(username: username, available: isFree, reason: isFree ? nil : "taken")
    }

    /// Everyone to whom a change of `user` is told: friends and chat partners, without those a block separates
    /// unless `acrossBlocks`.
    static func audience(
        of user: ID<User>, acrossBlocks: Bool = false, in database: Database
    ) throws -> [ID<User>] {
        try database.all(
            """
            SELECT p.id FROM (
                SELECT friend_id AS id FROM friendships WHERE user_id = ?1 AND removed_at IS NULL
                UNION
                SELECT o.user_id FROM members m
                JOIN members o ON o.conversation_id = m.conversation_id AND o.user_id <> m.user_id
                WHERE m.user_id = ?1
            ) p
            WHERE ?2 OR NOT EXISTS (SELECT 1 FROM frozen_views z WHERE z.viewer_id = p.id AND z.user_id = ?1)
            """, user, acrossBlocks
        ) { $0.id(0) }
    }
}
