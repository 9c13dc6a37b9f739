import ChatterModel
import SQLite

/// The epoch of the database: while it lasts, no number is given twice. A backup holds none, so that whoever starts
/// from one begins a new epoch, by which devices know that the numbers they saw are no longer this server's.
enum Epochs {
    /// The epoch that the server goes on with; begins one in a new database and in a restored one.
    static func load(_ storage: Storage, random: any RandomBytes, log: Log) async throws -> ID<Epoch> {
        let (epoch, isAfterRestore) = try await storage.write { transaction in
            if let epoch = try find(in: transaction.database) { return (epoch, false) }
            let epoch = ID<Epoch>(hexadecimal(random.bytes(16)))
            try transaction.database.run(
                "INSERT INTO epochs (id, began_at) VALUES (?, ?)", epoch, transaction.now)
            return (epoch, try transaction.database.first("SELECT 1 FROM users") { _ in true } ?? false)
        }
        if isAfterRestore { log.notice("a new epoch begins: devices start over") }
        return epoch
    }

    /// Throws when the server that owns the database has not begun one.
    static func current(in database: Database) throws -> ID<Epoch> {
        guard let epoch = try find(in: database) else { throw MissingRow(table: "epochs") }
        return epoch
    }

    /// For a copy. It may be of a version that had no epochs: its first start begins one just the same.
    static func forget(in copy: Database) throws {
        let hasEpochs = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'epochs'"
        guard try copy.first(hasEpochs, map: { _ in true }) != nil else { return }
        try copy.run("DELETE FROM epochs")
    }

    private static func find(in database: Database) throws -> ID<Epoch>? {
        try database.first("SELECT id FROM epochs") { $0.id(0) }
    }
}
