import ChatterModel
import SQLite

enum WorkspaceQueries {
    /// Of the workspace that challenge mode brings along.
    static let demoKey = "ck_demo"

    static func find(clientKey: String, in database: Database) throws -> ID<Workspace>? {
        try database.first("SELECT id FROM workspaces WHERE client_key = ?", clientKey) { ID($0.text(0)) }
    }

    static func find(secret: String, in database: Database) throws -> ID<Workspace>? {
        try database.first("SELECT id FROM workspaces WHERE secret_hash = ?", hash(ofSecret: secret)) {
            ID($0.text(0))
        }
    }

    /// Oldest first.
    static func all(in database: Database) throws -> [WorkspaceListing] {
        try database.all("SELECT id, name, client_key, created_at FROM workspaces ORDER BY id") { row in
            WorkspaceListing(
                id: row.text(0), name: row.text(1), clientKey: row.text(2),
                createdAt: Timestamp(milliseconds: row.int64(3)))
        }
    }

    static func insert(_ keys: WorkspaceKeys, createdAt: Timestamp, in database: Database) throws {
        try database.run(
            "INSERT INTO workspaces (id, name, client_key, secret_hash, created_at) VALUES (?, ?, ?, ?, ?)",
            keys.id, keys.name, keys.clientKey, hash(ofSecret: keys.clientSecret), createdAt.milliseconds)
    }

    /// The name of the workspace whose keys were replaced; nil when there is none with this id.
    static func replaceKeys(
        of id: String, clientKey: String, clientSecret: String, in database: Database
    ) throws -> String? {
        try database.run(
            "UPDATE workspaces SET client_key = ?, secret_hash = ? WHERE id = ?",
            clientKey, hash(ofSecret: clientSecret), id)
        return try database.first("SELECT name FROM workspaces WHERE id = ?", id) { $0.text(0) }
    }

    /// The secret is random and long, so that a plain hash hides it.
    static func hash(ofSecret secret: String) -> String { hexadecimal(sha256(Array(secret.utf8))) }
}
