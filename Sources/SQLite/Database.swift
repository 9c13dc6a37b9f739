import CSQLite
import Foundation

/// One connection to a SQLite file in WAL mode.
///
/// It is not `Sendable`: one thread or executor uses it at a time. `DatabasePool` shares one between tasks.
public final class Database {
    public let path: String
    public let mode: Mode
    /// Called with the names of the changed tables after a commit has returned, on the thread that committed.
    public var onCommit: ((Set<String>) -> Void)?

    private(set) var handle: OpaquePointer?
    private var cache: StatementCache
    let configuration: Configuration
    private let tracker = ChangeTracker()
    /// Refuse statements that write; how an in-memory pool keeps its reads honest.
    var refusesWrites = false
    /// Refuse statements when no transaction is open, so that nothing is written piecemeal after an error has
    /// rolled it back under the body of `transaction`.
    var isTransactionBody = false

    public init(path: String, mode: Mode, configuration: Configuration = .init()) throws(SQLiteError) {
        self.path = path
        self.mode = mode
        self.configuration = configuration
        cache = StatementCache(capacity: configuration.statementCacheSize)
        if mode == .readWrite { try createPrivateFile(path) }
        handle = try Self.open(path: path, mode: mode)
        do {
            try configure()
        } catch {
            close()
            throw error
        }
    }

    deinit { close() }

    /// Closes the connection; later calls throw an error that `isClosed`. Closing twice does nothing.
    public func close() {
        onCommit = nil
        cache.removeAll()
        guard let handle else { return }
        self.handle = nil
        // The hooks point at the tracker, which a statement still in use would outlive.
        sqlite3_set_authorizer(handle, nil, nil)
        sqlite3_rollback_hook(handle, nil, nil)
        // v2 cannot fail: with statements still in use it closes when the last of them ends.
        sqlite3_close_v2(handle)
    }

    /// Makes the statement that is running fail with `isInterrupted`.
    ///
    /// The one call that another thread may make, and only while the connection is sure to stay open.
    public func interrupt() {
        guard let handle else { return }
        sqlite3_interrupt(handle)
    }

    /// Rows that the last INSERT, UPDATE or DELETE changed itself, without triggers.
    public var changes: Int { handle.map { Int(sqlite3_changes64($0)) } ?? 0 }
    /// Rows changed since the connection was opened, triggers included.
    public var totalChanges: Int { handle.map { Int(sqlite3_total_changes64($0)) } ?? 0 }
    public var lastInsertRowID: Int64 { handle.map { sqlite3_last_insert_rowid($0) } ?? 0 }
    public var isInTransaction: Bool { handle.map { sqlite3_get_autocommit($0) == 0 } ?? false }

    func openHandle(sql: String? = nil) throws(SQLiteError) -> OpaquePointer {
        guard let handle else { throw .closed(sql: sql) }
        return handle
    }
}

// MARK: - Opening

extension Database {
    private static func open(path: String, mode: Mode) throws(SQLiteError) -> OpaquePointer {
        // No mutex: the connection is used by one thread at a time.
        let flags =
            SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
            | (mode == .readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        // A leading "/" or "./" keeps SQLite from reading ":memory:" or "file:" into a path.
        let name = mode == .memory ? ":memory:" : path.hasPrefix("/") ? path : "./" + path
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(name, &handle, flags, nil)
        guard code == SQLITE_OK, let handle else {
            let error = SQLiteError(handle: handle, code: code, path: path)
            sqlite3_close_v2(handle)
            throw error
        }
        return handle
    }

    private func configure() throws(SQLiteError) {
        let handle = try openHandle()
        let (seconds, attoseconds) = configuration.busyTimeout.components
        sqlite3_busy_timeout(handle, Int32(clamping: seconds * 1_000 + attoseconds / 1_000_000_000_000_000))
        if mode == .readWrite { try enterWAL() }
        try execute(
            script: """
                PRAGMA synchronous = \(configuration.synchronous.rawValue);
                PRAGMA fullfsync = \(configuration.fullFileSync ? 1 : 0);
                PRAGMA checkpoint_fullfsync = \(configuration.fullFileSync ? 1 : 0);
                PRAGMA foreign_keys = \(configuration.foreignKeys ? 1 : 0);
                PRAGMA cache_size = -\(configuration.cacheKilobytes);
                PRAGMA journal_size_limit = 67108864;
                """)
        if mode != .readOnly { tracker.attach(to: handle) }
    }

    private func enterWAL() throws(SQLiteError) {
        let sql = "PRAGMA journal_mode = WAL"
        let statement = try compile(sql, isCached: false)
        let mode = try step(statement) ? Row(pointer: statement.pointer).text(0) : ""
        guard mode == "wal" else {
            throw SQLiteError(
                code: SQLITE_CANTOPEN, message: "no WAL here: journal mode is \(mode)", sql: sql)
        }
    }
}

// MARK: - Statements

extension Database {
    /// A statement ready to bind, from the cache unless a call further up is still using it.
    func take(_ sql: String) throws(SQLiteError) -> Statement {
        let cached = cache.statement(for: sql)
        if let cached, !cached.isInUse {
            try allow(cached)
            cached.isInUse = true
            return cached
        }
        // Some pragmas act while they are compiled, so a second run of the compiled one would do nothing.
        let isCached = cached == nil && !sql.lowercased().hasPrefix("pragma")
        let statement = try compile(sql, isCached: isCached)
        try allow(statement)
        statement.isInUse = true
        if isCached { cache.insert(statement) }
        return statement
    }

    private func allow(_ statement: Statement) throws(SQLiteError) {
        if refusesWrites, !statement.isReadOnly {
            throw SQLiteError(code: SQLITE_READONLY, message: "a read may not write", sql: statement.sql)
        }
        if isTransactionBody, !isInTransaction {
            throw SQLiteError(
                code: SQLITE_ABORT, message: "the transaction was already rolled back", sql: statement.sql)
        }
    }

    /// Compiles a text that holds one statement and nothing else but space and comments.
    private func compile(_ sql: String, isCached: Bool) throws(SQLiteError) -> Statement {
        var rest = sql
        let (pointer, written) = try prepare(&rest, isCached: isCached)
        guard let pointer else { throw .misuse("no statement", sql: sql) }
        let statement = Statement(pointer: pointer, sql: sql, written: written)
        while !rest.isEmpty {
            guard try prepare(&rest, isCached: false).pointer == nil else {
                throw .misuse("more than one statement", sql: sql)
            }
        }
        return statement
    }

    /// Compiles the first statement of `text` and leaves what follows it there; nil for space and comments.
    func compileFirst(of text: inout String) throws(SQLiteError) -> Statement? {
        let whole = text
        let (pointer, written) = try prepare(&text, isCached: false)
        guard let pointer else { return nil }
        let sql = String(decoding: whole.utf8.dropLast(text.utf8.count), as: UTF8.self)
        return Statement(pointer: pointer, sql: sql, written: written)
    }

    private func prepare(
        _ text: inout String, isCached: Bool
    ) throws(SQLiteError) -> (pointer: OpaquePointer?, written: WrittenTables) {
        let handle = try openHandle(sql: text)
        var pointer: OpaquePointer?
        let flags = isCached ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
        let (code, rest) = text.withUTF8 { bytes -> (Int32, String) in
            guard let start = bytes.baseAddress else { return (SQLITE_OK, "") }
            return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) { start in
                var tail: UnsafePointer<CChar>?
                let code = sqlite3_prepare_v3(
                    handle, start, Int32(clamping: bytes.count), flags, &pointer, &tail)
                let used = tail.map { $0 - start } ?? bytes.count
                return (code, String(decoding: bytes[used...], as: UTF8.self))
            }
        }
        let written = tracker.takeCompiled()
        guard code == SQLITE_OK else { throw SQLiteError(handle: handle, code: code, sql: text) }
        text = rest
        return (pointer, written)
    }

    /// True when a row is ready, false when the statement is done.
    func step(_ statement: Statement) throws(SQLiteError) -> Bool {
        let code = sqlite3_step(statement.pointer)
        // SQLite compiles it again when the schema has changed.
        if !statement.isReadOnly { tracker.recompiled(statement) }
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw SQLiteError(handle: handle, code: code, sql: statement.sql)
        }
    }

    /// Resets a statement and hands it back. Its error is the commit's when the statement was its own
    /// transaction and was left before its last row.
    func finish(_ statement: Statement) throws(SQLiteError) {
        let code = sqlite3_reset(statement.pointer)
        let failure = code == SQLITE_OK ? nil : SQLiteError(handle: handle, code: code, sql: statement.sql)
        release(statement)
        if let failure { throw failure }
    }

    /// Hands back a statement whose error is already on its way to the caller.
    func abandon(_ statement: Statement) {
        sqlite3_reset(statement.pointer)  // repeats the step's error
        release(statement)
    }

    private func release(_ statement: Statement) {
        sqlite3_clear_bindings(statement.pointer)  // keeps no copy of what was written
        statement.isInUse = false
        guard let handle else { return }
        tracker.finished(statement, total: sqlite3_total_changes64(handle))
        if tracker.hasChanges, sqlite3_get_autocommit(handle) != 0 {
            let tables = tracker.takeChanged()
            onCommit?(tables)
        }
    }
}

/// SQLite would create the file readable by everyone; its WAL takes over the file's mode.
///
/// Only ever creates: opening and closing an existing file would drop the locks that this process's other
/// connections hold on it.
private func createPrivateFile(_ path: String) throws(SQLiteError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
        close(descriptor)
    } else if errno != EEXIST {
        let reason = errno
        throw SQLiteError(
            code: SQLITE_CANTOPEN, message: "\(path): \(String(cString: strerror(reason)))",
            foundNoRoom: DiskSpace.isExhausted(reason))
    }
}
