import CSQLite

/// One compiled statement of one connection. Other modules meet it only in `Bindable`.
public final class Statement {
    let pointer: OpaquePointer
    let sql: String
    /// It changes nothing in the file (SQLite counts BEGIN, COMMIT and SAVEPOINT as reading).
    let isReadOnly: Bool
    let parameterCount: Int32
    /// The tables it may write, also through triggers and foreign keys.
    var written: WrittenTables
    /// The transaction in which the tracker last took note of `written`.
    var notedTransaction = -1
    /// Taken out of the cache by a call that has not finished.
    var isInUse = false
    /// The cache's clock at the last use.
    var lastUse = 0

    init(pointer: OpaquePointer, sql: String, written: WrittenTables) {
        self.pointer = pointer
        self.sql = sql
        self.written = written
        isReadOnly = sqlite3_stmt_readonly(pointer) != 0
        parameterCount = sqlite3_bind_parameter_count(pointer)
    }

    deinit {
        // Its result repeats the last step's error, which was thrown then.
        sqlite3_finalize(pointer)
    }

    func bind(_ values: [(any Bindable)?]) throws(SQLiteError) {
        guard values.count == Int(parameterCount) else {
            throw SQLiteError(
                code: SQLITE_RANGE, message: "\(values.count) values for \(parameterCount) parameters",
                sql: sql)
        }
        var index: Int32 = 1
        for value in values {
            if let value {
                try value.bind(to: self, at: index)
            } else {
                try check(sqlite3_bind_null(pointer, index))
            }
            index += 1
        }
    }

    /// True when a row is ready, false when the statement is done.
    func step() throws(SQLiteError) -> Bool {
        switch sqlite3_step(pointer) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw SQLiteError(handle: sqlite3_db_handle(pointer), code: code, sql: sql)
        }
    }

    func check(_ code: Int32) throws(SQLiteError) {
        guard code == SQLITE_OK else {
            throw SQLiteError(handle: sqlite3_db_handle(pointer), code: code, sql: sql)
        }
    }
}

/// Compiled statements by their text; the longest unused one leaves when it is full.
struct StatementCache {
    private var statements: [String: Statement] = [:]
    private var clock = 0
    let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
    }

    mutating func statement(for sql: String) -> Statement? {
        guard let statement = statements[sql] else { return nil }
        clock += 1
        statement.lastUse = clock
        return statement
    }

    mutating func insert(_ statement: Statement) {
        if statements.count >= capacity, let oldest = statements.values.min(by: { $0.lastUse < $1.lastUse }) {
            statements[oldest.sql] = nil
        }
        clock += 1
        statement.lastUse = clock
        statements[statement.sql] = statement
    }

    mutating func removeAll() {
        statements = [:]
    }
}
