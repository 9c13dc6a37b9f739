import ChatterTestSupport
import Foundation
import SQLite

/// What one profile's database holds, read from outside while its program runs or is dead.
struct StoredChat: Sendable {
    struct Row: Hashable, Sendable {
        let seq: Int64?
        let clientMessageID: String
        /// Empty once the message is deleted, for oneself or for everyone.
        let text: String
        let isMine: Bool
        var isDeleted = false
        var isHidden = false
        /// Asked for here; the server may not know yet.
        var isDeletionWanted = false
    }

    let home: URL

    /// The database, once the person has signed in.
    private func open() throws -> Database {
        let files = FileManager.default.enumerator(at: home, includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            if file.lastPathComponent == "messages.db" {
                return try Database(path: file.path, mode: .readOnly)
            }
        }
        throw ProcessFailure("no database under \(home.path)")
    }

    /// In the order of the screen: by seq, then what waits as it was typed.
    func rows() throws -> [Row] {
        try open().all(
            """
            SELECT seq, clientMessageID, body, isMine, deletedAt IS NOT NULL, hidden, deletion IS NOT NULL
            FROM messages ORDER BY seq IS NULL, seq, localID
            """
        ) {
            Row(
                seq: $0.optionalInt64(0), clientMessageID: $0.text(1), text: $0.text(2), isMine: $0.bool(3),
                isDeleted: $0.bool(4), isHidden: $0.bool(5), isDeletionWanted: $0.bool(6))
        }
    }

    /// Messages that somebody else than their sender has not read: 0 when every tick is blue.
    func unread() throws -> Int64 { try count(above: "lastReadSeq") }

    /// Messages that have not reached somebody else than their sender: 0 when every tick is double.
    func undelivered() throws -> Int64 { try count(above: "lastDeliveredSeq") }

    private func count(above watermark: String) throws -> Int64 {
        try open().first(
            "SELECT count(*) FROM messages m JOIN members r ON r.userID <> m.senderID WHERE m.seq > r.\(watermark)"
        ) { $0.int64(0) } ?? 0
    }

    /// Messages at the chat's beginning that this device has not fetched: it began with the newest page.
    func unfetched() throws -> Int64 {
        try open().first("SELECT historyFloor - 1 FROM conversations") { $0.int64(0) } ?? 0
    }

    func waiting() throws -> Int64 { try open().first("SELECT count(*) FROM outbox") { $0.int64(0) } ?? 0 }

    /// Others' messages that the server lost and their authors have not sent again.
    func lost() throws -> Int64 { try open().first("SELECT count(*) FROM lostMessages") { $0.int64(0) } ?? 0 }

    func holes() throws -> Int64 { try open().first("SELECT count(*) FROM holes") { $0.int64(0) } ?? 0 }

    /// Everything written here has left, and everything that the server has is here.
    func isComplete(_ count: Int) throws -> Bool {
        try waiting() == 0 && holes() == 0 && Int64(rows().count) + unfetched() == count
    }
}
