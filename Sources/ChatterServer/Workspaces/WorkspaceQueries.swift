import ChatterModel
import SQLite

enum WorkspaceQueries {
    static func find(clientKey: String, in database: Database) throws -> ID<Workspace>? {
        try database.first("SELECT id FROM workspaces WHERE client_key = ?", clientKey) { ID($0.text(0)) }
    }

    static func find(secret: String, in database: Database) throws -> ID<Workspace>? {
        try database.first("SELECT id FROM workspaces WHERE secret_hash = ?", hash(ofSecret: secret)) {
            ID($0.text(0))
        }
    }

    /// The secret is random and long, so that a plain hash hides it.
    static func hash(ofSecret secret: String) -> String { hexadecimal(sha256(Array(secret.utf8))) }
}
