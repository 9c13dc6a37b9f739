import ChatterModel
import SQLite

/// A person as somebody else sees them: as they are, or, while a block stands between the two, as they were when
/// it began. A deleted account is seen as such by everyone.
///
/// Queries that use it name the subject's row `u`, bind the viewer as `?1` and start with `columns`.
enum SeenUser {
    static let columnCount = 7
    static let columns = """
        u.id, u.deleted_at IS NOT NULL,
        CASE WHEN z.version IS NULL THEN u.username ELSE z.username END,
        CASE WHEN z.version IS NULL THEN u.display_name ELSE z.display_name END,
        CASE WHEN z.version IS NULL THEN u.about ELSE z.about END,
        CASE WHEN z.version IS NULL THEN u.avatar_url ELSE z.avatar_url END,
        CASE WHEN z.version IS NULL THEN u.position ELSE z.version END
        """
    /// Joins what the viewer goes on seeing of `u`; `z.version` is NULL when nothing stands between the two.
    static let frozenView = """
        LEFT JOIN frozen_views z ON z.viewer_id = ?1 AND z.user_id = u.id AND u.deleted_at IS NULL
        """

    static func user(_ row: borrowing Row, at start: Int = 0) -> User {
        User(
            id: row.id(start), username: row.optionalText(start + 2),
            displayName: row.optionalText(start + 3), about: row.text(start + 4),
            avatarURL: row.optionalText(start + 5), isDeleted: row.bool(start + 1),
            version: row.int64(start + 6))
    }

    /// nil when there is no such account.
    static func find(_ id: ID<User>, by viewer: ID<User>, in database: Database) throws -> User? {
        try database.first(
            "SELECT \(columns) FROM users u \(frozenView) WHERE u.id = ?2", viewer, id
        ) { user($0) }
    }

    /// As `find`, for an id that a foreign key vouches for.
    static func get(_ id: ID<User>, by viewer: ID<User>, in database: Database) throws -> User {
        guard let user = try find(id, by: viewer, in: database) else { throw MissingRow(table: "users") }
        return user
    }
}

/// A row that the schema promises is not there: a fault of the server's, answered with INTERNAL.
struct MissingRow: Error, CustomStringConvertible {
    let table: String
    var description: String { "a row of \(table) is missing" }
}
