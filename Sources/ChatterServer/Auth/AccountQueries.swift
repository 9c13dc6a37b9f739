import ChatterModel
import SQLite

/// Accounts as signing in needs them.
enum AccountQueries {
    static func user(phone: String, workspace: ID<Workspace>, in database: Database) throws -> ID<User>? {
        try database.first(
            "SELECT id FROM users WHERE workspace_id = ? AND phone = ?", workspace.rawValue, phone
        ) { ID($0.text(0)) }
    }

    /// An account with nothing but its phone number; the profile comes next.
    static func create(
        phone: String, workspace: ID<Workspace>, in transaction: WriteTransaction
    ) throws -> ID<User> {
        let id: ID<User> = transaction.newID()
        try transaction.database.run(
            "INSERT INTO users (id, workspace_id, phone, created_at, position) VALUES (?, ?, ?, ?, ?)",
            id.rawValue, workspace.rawValue, phone, transaction.now.milliseconds, transaction.nextPosition())
        return id
    }

    /// One's own account; nil when it is deleted.
    static func me(_ id: ID<User>, in database: Database) throws -> Me? {
        try database.first(
            """
            SELECT phone, username, display_name, about, avatar_url, last_seen_visibility, position
            FROM users WHERE id = ? AND deleted_at IS NULL
            """, id.rawValue
        ) { row in
            let username = row.optionalText(1)
            let displayName = row.optionalText(2)
            return Me(
                id: id, phone: row.text(0), username: username, displayName: displayName, about: row.text(3),
                avatarURL: row.optionalText(4),
                lastSeenVisibility: LastSeenVisibility(rawValue: row.text(5)) ?? .friends,
                profileComplete: username != nil && displayName != nil, version: row.int64(6))
        }
    }
}
