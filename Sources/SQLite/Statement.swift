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

    func bind(list values: [(any Bindable)?]) throws(SQLiteError) {
        var count: Int32 = 0
        for value in values {
            if let value {
                try bind(value, after: &count)
            } else {
                try bind(Int?.none, after: &count)
            }
        }
        try check(count: count)
    }

    /// Binds the parameter that follows the `count` already bound.
    func bind<Value: Bindable>(_ value: Value, after count: inout Int32) throws(SQLiteError) {
        count += 1
        try value.bind(to: self, at: count)
    }

    /// SQLite refuses a value too many by itself, but takes a missing one for NULL.
    func check(count: Int32) throws(SQLiteError) {
        guard count == parameterCount else {
            throw SQLiteError(
                code: SQLITE_RANGE, message: "\(count) values for \(parameterCount) parameters", sql: sql)
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
    /// Hashes a sample of the text only: the texts are few and hashing each whole would cost as much as a bind.
    private struct Key: Hashable {
        let sql: String

        func hash(into hasher: inout Hasher) {
            var text = sql
            let sample = text.withUTF8 { bytes in
                var sample = UInt64(bytes.count)
                let stride = max(1, bytes.count / 16)
                var index = bytes.count - 1
                while index >= 0 {
                    sample = (sample ^ UInt64(bytes[index])) &* 0x100_0000_01b3
                    index -= stride
                }
                return sample
            }
            hasher.combine(sample)
        }
    }

    private var statements: [Key: Statement] = [:]
    private var clock = 0
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
    }

    mutating func statement(for sql: String) -> Statement? {
        guard let statement = statements[Key(sql: sql)] else { return nil }
        clock += 1
        statement.lastUse = clock
        return statement
    }

    mutating func insert(_ statement: Statement) {
        if statements.count >= capacity, let oldest = statements.values.min(by: { $0.lastUse < $1.lastUse }) {
            statements[Key(sql: oldest.sql)] = nil
        }
        clock += 1
        statement.lastUse = clock
        statements[Key(sql: statement.sql)] = statement
    }

    mutating func removeAll() {
        statements = [:]
    }
}
