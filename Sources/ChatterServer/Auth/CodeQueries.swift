import ChatterModel
import SQLite

/// One-time codes: one a phone number, hashed, short-lived, with few attempts.
struct CodeQueries: Sendable {
    static let lifetime = Duration.seconds(600)
    static let attempts = 5
    /// The code of challenge mode.
    static let challenge = "000000"

    enum Verdict: Sendable, Equatable {
        case right, wrong
        /// None was asked for, it is too old, or it was tried too often.
        case expired
    }

    let key: [UInt8]

    /// Replaces whatever code the number had.
    func store(_ code: String, phone: String, workspace: ID<Workspace>, in transaction: WriteTransaction)
        throws
    {
        try transaction.database.run(
            """
            INSERT INTO codes (workspace_id, phone, code_hash, expires_at, attempts) VALUES (?, ?, ?, ?, 0)
            ON CONFLICT (workspace_id, phone) DO UPDATE
            SET code_hash = excluded.code_hash, expires_at = excluded.expires_at, attempts = 0
            """,
            workspace.rawValue, phone, hexadecimal(hash(code, phone, workspace)),
            transaction.now.advanced(by: Self.lifetime).milliseconds)
    }

    /// Uses up the code when it is right, and one of its attempts when it is not: the job must not throw, or the
    /// attempt would be undone.
    func verify(
        _ code: String, phone: String, workspace: ID<Workspace>, in transaction: WriteTransaction
    ) throws -> Verdict {
        let database = transaction.database
        let stored = try database.first(
            """
            SELECT code_hash FROM codes
            WHERE workspace_id = ? AND phone = ? AND expires_at > ? AND attempts < ?
            """, workspace.rawValue, phone, transaction.now.milliseconds, Self.attempts
        ) { $0.text(0) }
        guard let stored else { return .expired }
        let given = hexadecimal(hash(code, phone, workspace))
        guard areEqual(Array(stored.utf8), Array(given.utf8)) else {
            try database.run(
                "UPDATE codes SET attempts = attempts + 1 WHERE workspace_id = ? AND phone = ?",
                workspace.rawValue, phone)
            return .wrong
        }
        try database.run(
            "DELETE FROM codes WHERE workspace_id = ? AND phone = ?", workspace.rawValue, phone)
        return .right
    }

    /// Codes that nobody used.
    static func removeExpired(in transaction: WriteTransaction) throws {
        try transaction.database.run("DELETE FROM codes WHERE expires_at <= ?", transaction.now.milliseconds)
    }

    /// With a server key: six digits would be found in a plain hash at once.
    private func hash(_ code: String, _ phone: String, _ workspace: ID<Workspace>) -> [UInt8] {
        hmacSHA256(key: key, Array("\(workspace.rawValue)|\(phone)|\(code)".utf8))
    }
}
