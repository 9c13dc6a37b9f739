import CSQLite

/// The row under the cursor. It cannot be copied, so it cannot leave the closure that it was given to.
///
/// Columns are counted from 0. A NULL or a value of another type reads as SQLite casts it: NULL is 0 or "".
public struct Row: ~Copyable {
    let pointer: OpaquePointer

    public var columnCount: Int { Int(sqlite3_column_count(pointer)) }

    /// The column's name as the statement gives it, or "" when there is no such column.
    public func name(_ column: Int) -> String {
        sqlite3_column_name(pointer, Int32(column)).map { String(cString: $0) } ?? ""
    }

    public func isNull(_ column: Int) -> Bool {
        sqlite3_column_type(pointer, Int32(column)) == SQLITE_NULL
    }

    public func int(_ column: Int) -> Int { Int(sqlite3_column_int64(pointer, Int32(column))) }
    public func int64(_ column: Int) -> Int64 { sqlite3_column_int64(pointer, Int32(column)) }
    public func double(_ column: Int) -> Double { sqlite3_column_double(pointer, Int32(column)) }
    public func bool(_ column: Int) -> Bool { sqlite3_column_int64(pointer, Int32(column)) != 0 }

    public func text(_ column: Int) -> String {
        guard let start = sqlite3_column_text(pointer, Int32(column)) else { return "" }
        let count = Int(sqlite3_column_bytes(pointer, Int32(column)))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    public func blob(_ column: Int) -> [UInt8] {
        withBlob(column) { [UInt8]($0) }
    }

    /// Lends the column's bytes without copying them; they are gone when `body` returns.
    public func withBlob<T>(_ column: Int, _ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        let start = sqlite3_column_blob(pointer, Int32(column))
        let count = Int(sqlite3_column_bytes(pointer, Int32(column)))
        return try body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }

    public func optionalInt(_ column: Int) -> Int? { isNull(column) ? nil : int(column) }
    public func optionalInt64(_ column: Int) -> Int64? { isNull(column) ? nil : int64(column) }
    public func optionalDouble(_ column: Int) -> Double? { isNull(column) ? nil : double(column) }
    public func optionalBool(_ column: Int) -> Bool? { isNull(column) ? nil : bool(column) }
    public func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }
    public func optionalBlob(_ column: Int) -> [UInt8]? { isNull(column) ? nil : blob(column) }
}
