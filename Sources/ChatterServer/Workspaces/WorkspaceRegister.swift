import ChatterModel
import Foundation
import SQLite

/// Creates, lists and rotates workspaces in a database file, beside a running server or without one.
public final class WorkspaceRegister {
    public enum Failure: Error, Equatable {
        case nameMissing
        case noSuchWorkspace
    }

    private let database: Database
    private let random: any RandomBytes
    private let clock: any ServerClock
    private var ids: IDSource

    /// Opens the file, or makes it; throws `SQLiteError` or `MigrationError`.
    public init(
        databasePath: String, random: any RandomBytes = SecureRandom(), clock: any ServerClock = SystemClock()
    ) throws {
        database = try Database(path: databasePath, mode: .readWrite)
        try Schema.migrator.migrate(database)
        self.random = random
        self.clock = clock
        ids = IDSource(random: random)
    }

    public func create(name: String) throws -> WorkspaceKeys {
        let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !name.isEmpty else { throw Failure.nameMissing }
        let keys = WorkspaceKeys(id: ids.next(at: clock.now), name: name, random: random)
        try database.transaction { try WorkspaceQueries.insert(keys, createdAt: clock.now, in: database) }
        return keys
    }

    /// Oldest first.
    public func list() throws -> [WorkspaceListing] { try WorkspaceQueries.all(in: database) }

    /// Gives a workspace a new key and secret. A running server stops taking the old key within 5 seconds.
    public func rotate(id: String) throws -> WorkspaceKeys {
        let fresh = WorkspaceKeys(id: id, name: "", random: random)
        let name = try database.transaction {
            try WorkspaceQueries.replaceKeys(
                of: id, clientKey: fresh.clientKey, clientSecret: fresh.clientSecret, in: database)
        }
        guard let name else { throw Failure.noSuchWorkspace }
        return WorkspaceKeys(
            id: id, name: name, clientKey: fresh.clientKey, clientSecret: fresh.clientSecret)
    }
}
