import ChatterModel
import SQLite

/// A place in the order of positions of one epoch, opaque to clients.
struct SyncCursor: Sendable, Equatable {
    let epoch: ID<Epoch>
    var position: Int64

    /// nil is the beginning. Throws VALIDATION_FAILED naming `parameter` for text that no server gave out, and
    /// START_OVER for a place that this epoch does not have: the database was set back since.
    static func reading(
        _ text: String?, parameter: String, in database: Database
    ) throws -> SyncCursor {
        let epoch = try Epochs.current(in: database)
        guard let text else { return SyncCursor(epoch: epoch, position: 0) }
        guard let (named, position) = parts(of: text) else {
            throw APIError.invalid(parameter, "is not a cursor of this list")
        }
        guard named == epoch.rawValue, try position <= lastPosition(in: database) else {
            throw APIError(.startOver, "this cursor is from before the server was set back to a backup")
        }
        return SyncCursor(epoch: epoch, position: position)
    }

    var text: String { "p" + String(position, radix: 36) + "." + epoch.rawValue }

    /// The epoch is empty in cursors from before there were any.
    private static func parts(of text: String) -> (epoch: Substring, position: Int64)? {
        guard text.hasPrefix("p") else { return nil }
        let parts = text.dropFirst().split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let number = parts.first, let position = Int64(number, radix: 36), position >= 0 else {
            return nil
        }
        return (parts.count == 2 ? parts[1] : "", position)
    }

    /// No position in use is above it.
    private static func lastPosition(in database: Database) throws -> Int64 {
        try database.first("SELECT value FROM counters WHERE name = 'position'") { $0.int64(0) } ?? 0
    }
}
