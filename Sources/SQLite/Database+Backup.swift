import CSQLite
import Foundation

extension Database {
    /// Copies the database as it is now to `path`, while others go on writing.
    ///
    /// The copy is built beside its place, synced, and renamed over whatever was there: a crash leaves the old
    /// file or the new one. It is a single file without a WAL. Inside a write transaction it fails with `isBusy`.
    public func backup(to path: String) throws(SQLiteError) {
        let partial = path + ".partial"
        try removeFile(partial)
        do {
            let copy = try Database(path: partial, mode: .readWrite)
            defer { copy.close() }
            try copyPages(to: copy)
            // Leaves WAL, so that the one file is the whole backup.
            try copy.run("PRAGMA journal_mode = DELETE", [])
        } catch {
            try removeFile(partial)
            throw error
        }
        try syncFile(partial)
        guard rename(partial, path) == 0 else { throw fileError(path) }
        try syncFile(URL(fileURLWithPath: path).deletingLastPathComponent().path)
    }

    private func copyPages(to copy: Database) throws(SQLiteError) {
        let source = try openHandle()
        let target = try copy.openHandle()
        // One snapshot for all steps: another connection's commit would start the copy over.
        let ownsTransaction = !isInTransaction
        if ownsTransaction {
            try begin(.deferred)
            try run("SELECT count(*) FROM sqlite_schema", [])
        }
        guard let backup = sqlite3_backup_init(target, "main", source, "main") else {
            throw SQLiteError(handle: target, code: sqlite3_extended_errcode(target))
        }
        var code = SQLITE_OK
        while code == SQLITE_OK {
            code = sqlite3_backup_step(backup, 256)
        }
        let finish = sqlite3_backup_finish(backup)
        if ownsTransaction { try commit() }
        guard code == SQLITE_DONE, finish == SQLITE_OK else {
            throw SQLiteError(handle: target, code: code == SQLITE_DONE ? finish : code)
        }
    }

    /// Moves the WAL into the database file; `truncate` also empties the WAL file. Readers of older snapshots
    /// make a truncating one fail with `isBusy` after the busy timeout.
    public func checkpoint(truncate: Bool) throws(SQLiteError) {
        let mode = truncate ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
        let handle = try openHandle()
        let code = sqlite3_wal_checkpoint_v2(handle, nil, mode, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteError(handle: handle, code: code) }
    }

    /// What SQLite finds wrong with the file, broken foreign keys included; empty when all is well.
    public func integrityCheck() throws -> [String] {
        let problems = try all("PRAGMA integrity_check") { $0.text(0) }.filter { $0 != "ok" }
        return try problems + foreignKeyProblems()
    }

    func foreignKeyProblems() throws -> [String] {
        try all("PRAGMA foreign_key_check") { row in
            "row \(row.optionalInt64(1).map(String.init) ?? "?") of \(row.text(0)) refers to nothing in \(row.text(2))"
        }
    }
}

private func removeFile(_ path: String) throws(SQLiteError) {
    guard unlink(path) == 0 || errno == ENOENT else { throw fileError(path) }
}

private func syncFile(_ path: String) throws(SQLiteError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw fileError(path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw fileError(path) }
}

/// `errno` as this boundary's error.
private func fileError(_ path: String) -> SQLiteError {
    let reason = errno
    let code = reason == ENOSPC || reason == EDQUOT ? SQLITE_FULL : SQLITE_IOERR
    return SQLiteError(code: code, message: "\(path): \(String(cString: strerror(reason)))")
}
