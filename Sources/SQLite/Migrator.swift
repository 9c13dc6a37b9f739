/// Why a database's schema could not be brought up to date. Nothing of the named step was kept.
public enum MigrationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file was written by a newer build: it holds migrations that this one does not know.
    case newerSchema(unknown: [String])
    /// A recorded migration's text differs from this build's, or a new one stands before a recorded one.
    case edited(String)
    case failed(String, SQLiteError)

    public var description: String {
        switch self {
        case .newerSchema(let unknown):
            "the database is from a newer version (it has \(unknown.joined(separator: ", ")))"
        case .edited(let name): "the migration \(name) is not the one that was applied"
        case .failed(let name, let error): "the migration \(name) failed: \(error)"
        }
    }
}

/// Named steps that build a schema, in order, each once and in a transaction of its own.
///
/// A step is never edited once released; the file remembers each one's name and checksum.
public struct Migrator: Sendable {
    private struct Migration {
        let name: String
        /// Of the SQL text; empty when the step is a closure.
        let checksum: String
        let body: @Sendable (Database) throws -> Void
    }

    private var migrations: [Migration] = []

    public init() {}

    /// Adds a step made of SQL statements.
    public mutating func add(_ name: String, _ sql: String) {
        migrations.append(
            Migration(name: name, checksum: checksum(sql)) { database in
                try database.execute(script: sql)
            })
    }

    /// Adds a step in Swift; only its name is recorded.
    public mutating func add(_ name: String, _ body: @escaping @Sendable (Database) throws -> Void) {
        migrations.append(Migration(name: name, checksum: "", body: body))
    }

    /// The steps that `migrate` would run, in order.
    public func pending(_ database: Database) throws -> [String] {
        let applied = try applied(in: database)
        return migrations.map(\.name).filter { applied[$0] == nil }
    }

    /// Runs what is missing. Foreign keys are off while a step runs, so that a table can be rebuilt, and are
    /// checked before it is committed.
    public func migrate(_ database: Database) throws(MigrationError) {
        do {
            try check(applied(in: database))
            try database.run(
                """
                CREATE TABLE IF NOT EXISTS migrations (
                    name TEXT PRIMARY KEY, checksum TEXT NOT NULL, applied_at TEXT NOT NULL)
                """)
        } catch let error as MigrationError {
            throw error
        } catch {
            throw .failed("migrations", .wrapping(error))
        }
        for migration in migrations {
            do {
                try apply(migration, to: database)
            } catch {
                throw .failed(migration.name, .wrapping(error))
            }
        }
    }

    private func applied(in database: Database) throws -> [String: String] {
        let exists = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migrations'"
        guard try database.first(exists, map: { _ in true }) != nil else { return [:] }
        let rows = try database.all("SELECT name, checksum FROM migrations") { ($0.text(0), $0.text(1)) }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    private func check(_ applied: [String: String]) throws(MigrationError) {
        var names: Set<String> = []
        for migration in migrations where !names.insert(migration.name).inserted {
            throw .failed(migration.name, .misuse("two migrations have this name"))
        }
        let unknown = Set(applied.keys).subtracting(names)
        guard unknown.isEmpty else { throw .newerSchema(unknown: unknown.sorted()) }
        var firstMissing: String?
        for migration in migrations {
            guard let recorded = applied[migration.name] else {
                firstMissing = firstMissing ?? migration.name
                continue
            }
            guard recorded == migration.checksum else { throw .edited(migration.name) }
            if let firstMissing { throw .edited(firstMissing) }
        }
    }

    private func apply(_ migration: Migration, to database: Database) throws {
        // Has no effect inside a transaction, so it stands around it.
        let foreignKeys =
            try database.first("PRAGMA foreign_keys") { $0.bool(0) } ?? false
        try database.run("PRAGMA foreign_keys = 0")
        let restore = "PRAGMA foreign_keys = \(foreignKeys ? 1 : 0)"
        do {
            try database.transaction { try applyOnce(migration, to: database) }
        } catch {
            try database.run(restore)
            throw error
        }
        try database.run(restore)
    }

    private func applyOnce(_ migration: Migration, to database: Database) throws {
        // Another process may have been first.
        let done = try database.first("SELECT 1 FROM migrations WHERE name = ?", migration.name) { _ in true }
        guard done == nil else { return }
        try migration.body(database)
        if let problem = try database.foreignKeyProblems().first {
            throw SQLiteError.foreignKey(problem)
        }
        try database.run(
            "INSERT INTO migrations VALUES (?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))",
            migration.name, migration.checksum)
    }
}

/// FNV-1a, 64 bits: enough to notice an edit, and the same on every platform and run.
private func checksum(_ text: String) -> String {
    let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return String(hash, radix: 16)
}
