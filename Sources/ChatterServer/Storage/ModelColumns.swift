import ChatterModel
import SQLite

// How the model's types stand in the tables: ids as text, times as milliseconds.

extension ID: Bindable {
    public func bind(to statement: Statement, at index: Int32) throws(SQLiteError) {
        try rawValue.bind(to: statement, at: index)
    }
}

extension ClientMessageID: Bindable {
    public func bind(to statement: Statement, at index: Int32) throws(SQLiteError) {
        try rawValue.bind(to: statement, at: index)
    }
}

extension Timestamp: Bindable {
    public func bind(to statement: Statement, at index: Int32) throws(SQLiteError) {
        try milliseconds.bind(to: statement, at: index)
    }
}

extension Row {
    func id<Entity>(_ column: Int) -> ID<Entity> { ID(text(column)) }

    func optionalID<Entity>(_ column: Int) -> ID<Entity>? { isNull(column) ? nil : id(column) }

    func timestamp(_ column: Int) -> Timestamp { Timestamp(milliseconds: int64(column)) }

    func optionalTimestamp(_ column: Int) -> Timestamp? { isNull(column) ? nil : timestamp(column) }
}
