import Foundation
import SQLite

/// Where a server keeps everything: the database, and a lock that one server at a time holds.
public struct DataDirectory: Sendable {
    public let path: String

    public init(path: String) { self.path = path }

    public var databasePath: String { path + "/chatter.db" }

    var lockPath: String { path + "/lock" }

    public var hasDatabase: Bool { FileManager.default.fileExists(atPath: databasePath) }

    /// Makes the directory, for its owner alone, when it is missing. Throws `StartFailure`.
    public func create() throws(StartFailure) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw StartFailure(making: error, directory: path)
        }
    }

    /// Held as long as the answer lives. Throws `StartFailure` when another server has it.
    public func lock() throws(StartFailure) -> FileLock {
        do {
            return try FileLock(path: lockPath)
        } catch {
            throw StartFailure(error, directory: path)
        }
    }

    /// Throws `StartFailure` when there is no database: a mistyped path must not make one.
    public func requireDatabase() throws(StartFailure) {
        guard hasDatabase else {
            throw StartFailure(
                "there is no database in \(path): pass its --data", exitCode: StartFailure.noInput)
        }
    }

    /// Copies the database to `file`, beside a running server or without one; the copy belongs to no epoch. Of what is
    /// there it replaces an earlier backup only. Throws `StartFailure`.
    public func backup(to file: String) throws(StartFailure) {
        try requireDatabase()
        try BackupTarget(path: file).check(against: self)
        do {
            let database = try Database(path: databasePath, mode: .readOnly)
            defer { database.close() }
            try database.backup(to: file, prepare: Epochs.forget)
        } catch {
            throw Self.explain(error, file)
        }
    }

    private static func explain(_ error: any Error, _ file: String) -> StartFailure {
        guard let error = error as? SQLiteError else { return StartFailure(error, directory: file) }
        return error.isFull
            ? StartFailure(
                "the disk that takes \(file) is full: the backup was not made",
                exitCode: StartFailure.inputOutput)
            : StartFailure(
                "cannot write \(file): \(error.message): the backup was not made",
                exitCode: StartFailure.cannotCreate)
    }
}
