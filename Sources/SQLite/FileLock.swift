import Foundation

public enum LockError: Error, Sendable, Equatable, CustomStringConvertible {
    /// `processID` is nil when the owner has not written it yet.
    case heldByAnother(processID: Int32?)
    /// There is no room for the file.
    case diskFull(path: String)
    case failed(path: String, reason: String)

    public var description: String {
        switch self {
        case .heldByAnother(let processID?): "in use by another process (\(processID))"
        case .heldByAnother(nil): "in use by another process"
        case .diskFull(let path): "cannot lock \(path): the disk is full"
        case .failed(let path, let reason): "cannot lock \(path): \(reason)"
        }
    }

    /// Why the last system call failed.
    fileprivate static func last(_ path: String) -> LockError {
        let reason = errno
        return DiskSpace.isExhausted(reason)
            ? .diskFull(path: path) : .failed(path: path, reason: String(cString: strerror(reason)))
    }
}

/// An exclusive lock on a path for as long as this object, or at most this process, lives.
///
/// The file stays behind: removing it would let two processes each lock a file of that name.
public final class FileLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock without waiting and writes this process's id into the file.
    public init(path: String) throws(LockError) {
        // Not inherited by child processes, which would hold the lock after this one died.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .last(path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let reason = errno
            let owner = Self.owner(of: descriptor)
            close(descriptor)
            if reason == EWOULDBLOCK { throw .heldByAnother(processID: owner) }
            throw .failed(path: path, reason: String(cString: strerror(reason)))
        }
        self.descriptor = descriptor
        let text = Array("\(getpid())\n".utf8)
        guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, text, text.count, 0) == text.count else {
            throw .last(path)
        }
    }

    deinit {
        // Closing alone would leave the lock to a child that is between its fork and its exec.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private static func owner(of descriptor: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        return Int32(
            String(decoding: bytes[..<count], as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
