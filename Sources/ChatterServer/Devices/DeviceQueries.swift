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
}
