import CSQLite

extension Database {
    public enum TransactionKind: String, Sendable {
        /// Takes locks when they are needed: for reading.
        case deferred = "BEGIN DEFERRED"
        /// Takes the write lock at once, so that it waits at the start and never fails half way.
        case immediate = "BEGIN IMMEDIATE"
    }

    public func begin(_ kind: TransactionKind = .immediate) throws(SQLiteError) {
        try run(kind.rawValue, [])
    }

    public func commit() throws(SQLiteError) {
        try run("COMMIT", [])
    }

    public func rollback() throws(SQLiteError) {
        try run("ROLLBACK", [])
    }

    /// Commits what `body` did, or rolls all of it back when it throws. Inside a transaction it is a savepoint.
    ///
    /// Throws `body`'s error; or the rollback's own, after which the connection should be closed.
    public func transaction<T>(
        _ kind: TransactionKind = .immediate, _ body: () throws -> T
    ) throws -> T {
        if isInTransaction { return try savepoint(body) }
        try begin(kind)
        isTransactionBody = true
        defer { isTransactionBody = false }
        do {
            let result = try body()
            try commit()
            return result
        } catch {
            // A full disk or an I/O error has rolled it back already.
            if isInTransaction { try rollback() }
            throw error
        }
    }

    /// Keeps what `body` did, or undoes it alone when it throws.
    public func savepoint<T>(_ body: () throws -> T) throws -> T {
        // Savepoints nest by order, not by name: the latest of that name is meant.
        try run("SAVEPOINT nested", [])
        do {
            let result = try body()
            try run("RELEASE nested", [])
            return result
        } catch {
            if isInTransaction {
                try run("ROLLBACK TO nested", [])
                try run("RELEASE nested", [])
            }
            throw error
        }
    }

    /// What ran next in a transaction left open by a failed rollback would nest in it and never be committed.
    func endStrayTransaction() throws(SQLiteError) {
        if isInTransaction { try rollback() }
    }

    /// Throws when the open transaction has references that its commit would refuse.
    func checkDeferredForeignKeys() throws(SQLiteError) {
        var unresolved: Int32 = 0
        var unused: Int32 = 0
        let code = sqlite3_db_status(try openHandle(), SQLITE_DBSTATUS_DEFERRED_FKS, &unresolved, &unused, 0)
        guard code == SQLITE_OK else { throw SQLiteError(handle: handle, code: code) }
        guard unresolved == 0 else { throw .foreignKey("FOREIGN KEY constraint failed") }
    }
}
