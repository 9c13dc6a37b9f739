import ChatterModel
import SQLite

enum DeviceQueries {
    static func record(of device: ID<Device>, in database: Database) throws -> DeviceRecord? {
        try database.first(
            """
            SELECT u.workspace_id, u.id, d.generation, d.pair_used, d.rotated_at, d.access_expires_at,
                u.username IS NOT NULL AND u.display_name IS NOT NULL
            FROM devices d JOIN users u ON u.id = d.user_id
            WHERE d.id = ? AND u.deleted_at IS NULL
            """, device.rawValue
        ) { row in
            DeviceRecord(
                workspace: ID(row.text(0)), user: ID(row.text(1)), generation: row.int64(2),
                isPairUsed: row.bool(3), rotatedAt: Timestamp(milliseconds: row.int64(4)),
                accessExpiresAt: Timestamp(milliseconds: row.int64(5)), isProfileComplete: row.bool(6))
        }
    }

    static func markUsed(_ device: ID<Device>, generation: Int64, in database: Database) throws {
        try database.run(
            "UPDATE devices SET pair_used = 1 WHERE id = ? AND generation = ?", device.rawValue, generation)
    }

    /// Newest first.
    static func devices(of user: ID<User>, current: ID<Device>, in database: Database) throws -> [Device] {
        try database.all(
            """
            SELECT id, name, platform, created_at, last_seen_at FROM devices WHERE user_id = ? ORDER BY id DESC
            """, user.rawValue
        ) { row in
            let id = ID<Device>(row.text(0))
            return Device(
                id: id, name: row.text(1), platform: row.text(2),
                createdAt: Timestamp(milliseconds: row.int64(3)),
                lastSeenAt: Timestamp(milliseconds: row.int64(4)), isCurrent: id == current)
        }
    }

    static func isDevice(_ device: ID<Device>, of user: ID<User>, in database: Database) throws -> Bool {
        try database.first(
            "SELECT 1 FROM devices WHERE id = ? AND user_id = ?", device.rawValue, user.rawValue
        ) { _ in true } ?? false
    }

    static func remove(_ device: ID<Device>, in database: Database) throws {
        try database.run("DELETE FROM devices WHERE id = ?", device.rawValue)
    }

    /// With the account; close its sockets and forget the user's access after the commit.
    static func removeAll(of user: ID<User>, in database: Database) throws {
        try database.run("DELETE FROM devices WHERE user_id = ?", user.rawValue)
    }

    static func noteSeen(_ device: ID<Device>, at now: Timestamp, in database: Database) throws {
        try database.run(
            "UPDATE devices SET last_seen_at = ? WHERE id = ?", now.milliseconds, device.rawValue)
    }
}
