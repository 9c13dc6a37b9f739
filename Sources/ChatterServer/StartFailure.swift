import ChatterModel
import Foundation
import SQLite
import WebSockets

/// Why a server, or one of its commands, cannot start: one line that says what to do, and the exit code.
public struct StartFailure: Error, Equatable, CustomStringConvertible {
    public let message: String
    public let exitCode: Int32

    public init(_ message: String, exitCode: Int32) {
        self.message = message
        self.exitCode = exitCode
    }

    public var description: String { message }

    // Of sysexits.h.
    public static let usage: Int32 = 64
    public static let noInput: Int32 = 66
    public static let unavailable: Int32 = 69
    public static let software: Int32 = 70
    public static let cannotCreate: Int32 = 73
    public static let inputOutput: Int32 = 74
    public static let temporary: Int32 = 75
    public static let configuration: Int32 = 78
}

extension StartFailure {
    /// Explains what went wrong with the data directory `directory`.
    public init(_ error: any Error, directory: String) {
        switch error {
        case let failure as StartFailure: self = failure
        case let error as SQLiteError: self = Self.storage(error, directory)
        case let error as MigrationError: self = Self.schema(error, directory)
        case let error as LockError: self = Self.lock(error, directory)
        case let error as APIError
        where error.code == .unavailable && DiskSpace.isExhausted(holding: directory):
            self = Self.full(directory)
        case let error as APIError where error.code == .unavailable:
            self.init(
                "cannot write to \(directory): check that its disk has space and that nothing else holds it",
                exitCode: Self.inputOutput)
        default:
            self.init("cannot start: \(LogLines.describe(error))", exitCode: Self.software)
        }
    }

    /// Explains why `directory` could not be made.
    init(making error: any Error, directory: String) {
        var status = stat()
        let isThere = stat(directory, &status) == 0
        switch (isThere, errno) {
        case (true, _) where status.st_mode & S_IFMT != S_IFDIR:
            self.init(
                "\(directory) is a file, not a directory: pass another --data", exitCode: Self.cannotCreate)
        case (false, ENOTDIR):
            self.init(
                "cannot make the directory \(directory): a file stands where a directory should: pass another --data",
                exitCode: Self.cannotCreate)
        case _ where DiskSpace.isExhausted(holding: directory):
            self = .full(directory)
        default:
            self.init(
                "cannot make the directory \(directory): check the rights of the directory above, "
                    + "or pass another --data",
                exitCode: Self.cannotCreate)
        }
    }

    private static func full(_ directory: String) -> StartFailure {
        let what =
            switch DiskSpace.shortage(holding: directory) {
            case .files: "takes no further file: delete some (df -i)"
            case .space, nil: "is full: free some space"
            }
        return StartFailure(
            "the disk that holds \(directory) \(what), then start again", exitCode: inputOutput)
    }

    private static func storage(_ error: SQLiteError, _ directory: String) -> StartFailure {
        if error.isFull { return full(directory) }
        if error.isCorrupt {
            return StartFailure(
                "the database in \(directory) is damaged: restore a backup (docs/operations.md)",
                exitCode: inputOutput)
        }
        if error.isBusy {
            return StartFailure(
                "another program is using the database in \(directory): stop it, then start again",
                exitCode: temporary)
        }
        if DiskSpace.isExhausted(holding: directory) { return full(directory) }
        return StartFailure(
            "cannot use the database in \(directory): \(error.message): check the directory's owner and rights",
            exitCode: cannotCreate)
    }

    private static func schema(_ error: MigrationError, _ directory: String) -> StartFailure {
        switch error {
        case .newerSchema(let unknown):
            StartFailure(
                "the database in \(directory) is from a newer chatter-server (it has \(unknown.joined(separator: ", "))): "
                    + "install that version, or restore a backup made before the upgrade",
                exitCode: configuration)
        case .edited(let name):
            StartFailure(
                "the database in \(directory) was made by another build (its step \(name) differs): use that build",
                exitCode: configuration)
        case .failed(_, let error):
            storage(error, directory)
        }
    }

    private static func lock(_ error: LockError, _ directory: String) -> StartFailure {
        switch error {
        case .heldByAnother(let process):
            StartFailure(
                "\(directory) is in use by another chatter-server\(process.map { " (process \($0))" } ?? ""): "
                    + "stop it, or pass another --data",
                exitCode: temporary)
        case .diskFull: full(directory)
        case .failed(_, let reason):
            StartFailure(
                "cannot write to \(directory): \(reason): check its owner and rights, or pass another --data",
                exitCode: cannotCreate)
        }
    }

    /// Explains why the server cannot listen at `address`.
    public init(listening error: any Error, address: String) {
        guard let error = error as? WebSocketError else {
            self.init("cannot listen on \(address): \(LogLines.describe(error))", exitCode: Self.software)
            return
        }
        switch error {
        case .addressInUse:
            self.init(
                "\(address) is in use: stop the other program, or pass another --listen",
                exitCode: Self.unavailable)
        case .badHost:
            self.init(
                "this machine has no address \(address): pass another --listen", exitCode: Self.configuration)
        case .permissionDenied:
            self.init(
                "not allowed to listen on \(address): pass a port above 1023 as --listen",
                exitCode: Self.configuration)
        case .badIdentity(let why):
            self.init(
                "cannot serve TLS: \(why): check --tls-certificate and --tls-key",
                exitCode: Self.configuration)
        default:
            self.init("cannot listen on \(address): \(error)", exitCode: Self.software)
        }
    }
}
