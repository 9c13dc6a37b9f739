import ChatterModel
import SQLite

/// The server's own secrets. They are made at the first start and live in the database, so that a restored backup
/// keeps everybody signed in.
struct ServerKeys: Sendable {
    /// Derives tokens.
    let tokens: [UInt8]
    /// Hides one-time codes.
    let codes: [UInt8]

    static func load(_ storage: Storage, random: any RandomBytes) async throws -> ServerKeys {
        try await storage.write { transaction in
            ServerKeys(
                tokens: try key("tokens", random, transaction.database),
                codes: try key("codes", random, transaction.database))
        }
    }

    private static func key(_ name: String, _ random: any RandomBytes, _ database: Database) throws -> [UInt8]
    {
        let stored = try database.first("SELECT secret FROM server_keys WHERE name = ?", name) { $0.text(0) }
        if let stored, let key = fromBase64URL(stored) { return key }
        let key = random.bytes(32)
        try database.run("INSERT INTO server_keys (name, secret) VALUES (?, ?)", name, base64URL(key))
        return key
    }
}
