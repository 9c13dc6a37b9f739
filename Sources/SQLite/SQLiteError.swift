import CSQLite
import Foundation

/// Why SQLite, or this wrapper around it, refused a call.
public struct SQLiteError: Error, Sendable, Equatable, CustomStringConvertible {
    /// SQLite's extended result code.
    public let code: Int32
    public let message: String
    /// The statement's text; bound values are never part of it.
    public let sql: String?
    /// The system found no room, whatever `code` says.
    private let foundNoRoom: Bool

    public init(code: Int32, message: String, sql: String? = nil, foundNoRoom: Bool = false) {
        self.code = code
        self.message = message
        self.sql = sql
        self.foundNoRoom = foundNoRoom
    }

    /// The last error of a connection; `handle` may be nil when opening itself ran out of memory.
    ///
    /// - Parameter path: of a database that could not be opened.
    init(handle: OpaquePointer?, code: Int32, sql: String? = nil, path: String? = nil) {
        let text = handle.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
        self.init(
            code: code, message: text.map { String(cString: $0) } ?? "unknown error", sql: sql,
            foundNoRoom: Self.foundNoRoom(handle, code, path))
    }

    /// SQLite says "full" only of the file itself; for what stands beside it, it says that a write failed.
    private static func foundNoRoom(_ handle: OpaquePointer?, _ code: Int32, _ path: String?) -> Bool {
        guard code & 0xff == SQLITE_IOERR || code & 0xff == SQLITE_CANTOPEN else { return false }
        if let handle, DiskSpace.isExhausted(sqlite3_system_errno(handle)) { return true }
        guard code == SQLITE_CANTOPEN || Extended.writing.contains(code) else { return false }
        let file = path ?? handle.flatMap { sqlite3_db_filename($0, "main") }.map { String(cString: $0) }
        guard let file, !file.isEmpty else { return false }
        return DiskSpace.isExhausted(holding: file)
    }

    /// The code without its extension, one of SQLite's primary result codes.
    public var primaryCode: Int32 { code & 0xff }

    public var isConstraint: Bool { primaryCode == SQLITE_CONSTRAINT }
    /// A UNIQUE index or a primary key already holds the value.
    public var isUniqueViolation: Bool {
        code == Extended.unique || code == Extended.primaryKey || code == Extended.rowID
    }
    public var isForeignKeyViolation: Bool { code == Extended.foreignKey }
    /// Another connection, of this process or another, holds the lock.
    public var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }
    /// The disk, or the file's page limit, is full.
    public var isFull: Bool { primaryCode == SQLITE_FULL || foundNoRoom }
    public var isReadOnly: Bool { primaryCode == SQLITE_READONLY }
    /// The file is damaged or is no database.
    public var isCorrupt: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }
    public var isInterrupted: Bool { primaryCode == SQLITE_INTERRUPT }
    /// The database or the pool was closed before the call.
    public var isClosed: Bool { code == Extended.closed }

    /// The same call may succeed later, unchanged. Unknown codes count as permanent.
    public var isTransient: Bool {
        switch primaryCode {
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_NOMEM, SQLITE_INTERRUPT, SQLITE_PROTOCOL: true
        default: isFull
        }
    }

    public var description: String {
        let statement = sql.map { " in: \($0)" } ?? ""
        return "SQLite error \(code): \(message)\(statement)"
    }

    static func closed(sql: String? = nil) -> SQLiteError {
        SQLiteError(code: Extended.closed, message: "the database is closed", sql: sql)
    }

    static func misuse(_ message: String, sql: String? = nil) -> SQLiteError {
        SQLiteError(code: SQLITE_MISUSE, message: message, sql: sql)
    }

    static func foreignKey(_ message: String) -> SQLiteError {
        SQLiteError(code: Extended.foreignKey, message: message)
    }

    /// Any error as this boundary's one error struct.
    static func wrapping(_ error: any Error) -> SQLiteError {
        error as? SQLiteError ?? SQLiteError(code: SQLITE_ERROR, message: String(describing: error))
    }

    /// SQLite's extended codes are macros that Swift does not import.
    private enum Extended {
        static let foreignKey = SQLITE_CONSTRAINT | (3 << 8)
        static let primaryKey = SQLITE_CONSTRAINT | (6 << 8)
        static let unique = SQLITE_CONSTRAINT | (8 << 8)
        static let rowID = SQLITE_CONSTRAINT | (10 << 8)
        /// WRITE, FSYNC, DIR_FSYNC, TRUNCATE, SHMOPEN, SHMSIZE, SHMMAP and GETTEMPPATH.
        static let writing = Set([3, 4, 5, 6, 18, 19, 21, 25].map { SQLITE_IOERR | ($0 << 8) } as [Int32])
        /// Ours: SQLite has no extended MISUSE codes, so it can never send this one.
        static let closed = SQLITE_MISUSE | (200 << 8)
    }
}
