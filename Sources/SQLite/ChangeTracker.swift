import CSQLite

/// What a statement may write, learnt from SQLite's authorizer while it is compiled.
struct WrittenTables {
    var names: Set<String> = []
    /// It drops or alters a table, which `total_changes` does not count.
    var changesSchema = false

    var isEmpty: Bool { names.isEmpty && !changesSchema }

    mutating func formUnion(_ other: WrittenTables) {
        names.formUnion(other.names)
        changesSchema = changesSchema || other.changesSchema
    }
}

/// Knows which tables the open transaction has changed.
///
/// SQLite's update hook is silent for WITHOUT ROWID tables, for rows that a REPLACE removes and for a DELETE
/// without WHERE. So the tables come from the authorizer, a statement at a time, and `total_changes` says
/// whether the statement changed anything. A notice may be for nothing (a trigger that did not fire, a
/// savepoint rolled back); none is ever missing.
final class ChangeTracker {
    /// Tables of the statements compiled since `takeCompiled()`.
    private var compiled = WrittenTables()
    private var changed: Set<String> = []
    private var lastTotal: Int64 = 0
    private var transaction = 0

    var hasChanges: Bool { !changed.isEmpty }

    /// Installs the hooks; the tracker must live until the connection is closed.
    func attach(to handle: OpaquePointer) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_set_authorizer(
            handle,
            { context, action, first, second, _, _ in
                guard let context else { return SQLITE_OK }
                let tracker = Unmanaged<ChangeTracker>.fromOpaque(context).takeUnretainedValue()
                tracker.authorizing(action, first, second)
                return SQLITE_OK
            }, context)
        sqlite3_rollback_hook(
            handle,
            { context in
                guard let context else { return }
                Unmanaged<ChangeTracker>.fromOpaque(context).takeUnretainedValue().forget()
            }, context)
    }

    private func authorizing(_ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?)
    {
        switch action {
        case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
            guard let first else { return }
            compiled.names.insert(String(cString: first))
        case SQLITE_DROP_TABLE, SQLITE_DROP_VTABLE:
            guard let first else { return }
            compiled.names.insert(String(cString: first))
            compiled.changesSchema = true
        case SQLITE_ALTER_TABLE:  // (database, table)
            guard let second else { return }
            compiled.names.insert(String(cString: second))
            compiled.changesSchema = true
        default:
            break
        }
    }

    func takeCompiled() -> WrittenTables {
        defer { compiled = WrittenTables() }
        return compiled
    }

    /// Adds the tables that a step's own recompilation has found.
    func recompiled(_ statement: Statement) {
        guard !compiled.isEmpty else { return }
        statement.written.formUnion(takeCompiled())
        statement.notedTransaction = -1
    }

    /// Takes note of a statement that has just been reset.
    func finished(_ statement: Statement, total: Int64) {
        guard total != lastTotal || statement.written.changesSchema else { return }
        lastTotal = total
        guard statement.notedTransaction != transaction else { return }
        statement.notedTransaction = transaction
        changed.formUnion(statement.written.names)
    }

    /// The tables of the transaction that has just been committed.
    func takeChanged() -> Set<String> {
        defer { forget() }
        return changed
    }

    private func forget() {
        changed = []
        transaction += 1
    }
}
