import CSQLite
import Foundation

extension Database {
    /// Copies the database as it is now to `path`, while others go on writing.
    ///
    /// The copy is built beside its place, synced, and renamed over whatever was there: a crash leaves the old
    /// file or the new one. It is a single file without a WAL. Inside a write transaction it fails with `isBusy`.
    ///
    /// - Parameter prepare: changes the copy in a transaction before it gets its name.
    public func backup(
        to path: String, prepare: (Database) throws -> Void = { _ in }
    ) throws(SQLiteError) {
        let partial = path + ".partial"
        try removePartial(partial)
        do {
            try copyFile(to: partial, prepare)
            try syncFile(partial)
            guard rename(partial, path) == 0 else { throw fileError(path) }
        } catch {
            // The first error is the one to tell; what stays behind, the next backup removes.
            for suffix in ["", "-wal", "-shm"] { unlink(partial + suffix) }
            throw .wrapping(error)
        }
        try syncFile(URL(fileURLWithPath: path).deletingLastPathComponent().path)
    }

    private func copyFile(to path: String, _ prepare: (Database) throws -> Void) throws {
        let copy = try Database(path: path, mode: .readWrite)
        defer { copy.close() }
        try transaction(.deferred) { try copyPages(to: copy) }
        try copy.transaction { try prepare(copy) }
        // Leaves WAL, so that the one file is the whole backup.
        try copy.execute(script: "PRAGMA journal_mode = DELETE")
    }

    /// Called in a transaction, so that all steps copy one snapshot: another connection's commit would start the
    /// copy over.
    private func copyPages(to copy: Database) throws {
        // A deferred transaction has no snapshot before its first read.
        _ = try first("SELECT 1 FROM sqlite_schema") { _ in true }
        let target = try copy.openHandle()
        guard let backup = sqlite3_backup_init(target, "main", try openHandle(), "main") else {
            throw SQLiteError(handle: target, code: sqlite3_extended_errcode(target))
        }
        var code = SQLITE_OK
        while code == SQLITE_OK {
            code = sqlite3_backup_step(backup, 256)
        }
        let finish = sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE, finish == SQLITE_OK else {
            throw SQLiteError(code: code, message: String(cString: sqlite3_errstr(code)))
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
        do {
            let problems = try all("PRAGMA integrity_check") { $0.text(0) }.filter { $0 != "ok" }
            return try problems + foreignKeyProblems()
        } catch let error as SQLiteError where error.isCorrupt {
            return [error.message]
        }
    }

    func foreignKeyProblems() throws -> [String] {
        try all("PRAGMA foreign_key_check") { row in
            "row \(row.optionalInt64(1).map(String.init) ?? "?") of \(row.text(0)) refers to nothing in \(row.text(2))"
        }
    }
}

private func removePartial(_ path: String) throws(SQLiteError) {
    for suffix in ["", "-wal", "-shm"] where unlink(path + suffix) != 0 && errno != ENOENT {
        throw fileError(path + suffix)
    }
}

private func syncFile(_ path: String) throws(SQLiteError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw fileError(path) }
    defer { close(descriptor) }
    #if canImport(Darwin)
        // There, fsync leaves the data in the drive's cache; not every file system can do more.
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
    #endif
    guard fsync(descriptor) == 0 else { throw fileError(path) }
}

/// `errno` as this boundary's error.
private func fileError(_ path: String) -> SQLiteError {
    let reason = errno
    let code = reason == ENOSPC || reason == EDQUOT ? SQLITE_FULL : SQLITE_IOERR
    return SQLiteError(code: code, message: "\(path): \(String(cString: strerror(reason)))")
}
