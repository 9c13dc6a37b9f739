import CSQLite
import Foundation

/// A value that can stand for a `?` in a statement.
///
/// Types of other modules conform by forwarding to one of the types below; a `RawRepresentable` type over one
/// of them only needs to declare the conformance.
public protocol Bindable {
    /// Binds to the parameter at `index`, counted from 1.
    func bind(to statement: Statement, at index: Int32) throws(SQLiteError)
}

extension Bindable where Self: RawRepresentable, RawValue: Bindable {
    public func bind(to statement: Statement, at index: Int32) throws(SQLiteError) {
        try rawValue.bind(to: statement, at: index)
    }
}

extension Optional: Bindable where Wrapped: Bindable {
    public func bind(to statement: Statement, at index: Int32) throws(SQLiteError) {
        switch self {
        case .some(let value): try value.bind(to: statement, at: index)
        case .none: try statement.check(sqlite3_bind_null(statement.pointer, index))
        }
    }
}

extension Int64: Bindable {
    public func bind(to statement: Statement, at index: Int32) throws(SQLiteError) {
        try statement.check(sqlite3_bind_int64(statement.pointer, index, self))
    }
}

extension Int: Bindable {
    public func bind(to statement: Statement, at index: Int32) throws(SQLiteError) {
        try statement.check(sqlite3_bind_int64(statement.pointer, index, Int64(self)))
    }
}

/// Stored as 0 or 1.
extension Bool: Bindable {
    public func bind(to statement: Statement, at index: Int32) throws(SQLiteError) {
        try statement.check(sqlite3_bind_int64(statement.pointer, index, self ? 1 : 0))
    }
}

/// SQLite has no NaN: it stores NULL in its place.
extension Double: Bindable {
    public func bind(to statement: Statement, at index: Int32) throws(SQLiteError) {
        try statement.check(sqlite3_bind_double(statement.pointer, index, self))
    }
}

extension String: Bindable {
    public func bind(to statement: Statement, at index: Int32) throws(SQLiteError) {
        var text = self
        let code = text.withUTF8 { bytes in
            // A nil pointer would bind NULL; an empty string may have no base address.
            guard let start = bytes.baseAddress else {
                return sqlite3_bind_text(statement.pointer, index, "", 0, nil)
            }
            return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) { start in
                sqlite3_bind_text64(
                    statement.pointer, index, start, UInt64(bytes.count), copied, UInt8(SQLITE_UTF8))
            }
        }
        try statement.check(code)
    }
}

extension [UInt8]: Bindable {
    public func bind(to statement: Statement, at index: Int32) throws(SQLiteError) {
        try statement.check(withUnsafeBytes { bindBlob($0, to: statement, at: index) })
    }
}

extension Data: Bindable {
    public func bind(to statement: Statement, at index: Int32) throws(SQLiteError) {
        try statement.check(withUnsafeBytes { bindBlob($0, to: statement, at: index) })
    }
}

private func bindBlob(_ bytes: UnsafeRawBufferPointer, to statement: Statement, at index: Int32) -> Int32 {
    // A nil pointer would bind NULL; an empty collection may have no base address.
    guard let start = bytes.baseAddress, bytes.count > 0 else {
        return sqlite3_bind_zeroblob(statement.pointer, index, 0)
    }
    return sqlite3_bind_blob64(statement.pointer, index, start, UInt64(bytes.count), copied)
}

/// SQLITE_TRANSIENT, a cast macro Swift does not import: SQLite copies the bytes before the bind returns.
private var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
