import Foundation

/// Files that only their owner may touch. System calls and not `FileManager`, which offers neither a mode at creation
/// nor a sync.
enum PrivateFiles {
    /// Makes the directory, its parents included, closed to others (0700); one that is open to others is closed.
    static func makeDirectory(_ directory: URL) throws(ClientError) {
        let path = directory.path
        do {
            try FileManager.default.createDirectory(
                at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            if ClientError.isDiskFull(holding: path) { throw .diskFull }
            throw ClientError(.storage(isTransient: false), "cannot make the directory \(path): \(error)")
        }
        var status = stat()
        guard stat(path, &status) == 0 else { throw failure("cannot look at", path) }
        guard status.st_uid == geteuid() else {
            throw ClientError(.storage(isTransient: false), "\(path) belongs to another user")
        }
        if status.st_mode & 0o077 != 0, chmod(path, 0o700) != 0 { throw failure("cannot close", path) }
    }

    /// nil when there is no such file. Refuses one that others may read or write, or own: its secrets are known.
    static func read(_ path: String) throws(ClientError) -> Data? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure("cannot open", path)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("cannot look at", path) }
        guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw ClientError(
                .storage(isTransient: false),
                "\(path) is open to other users: remove it, sign in again, and sign the old device out")
        }
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = Foundation.read(descriptor, &buffer, buffer.count)
            if count == 0 { return data }
            if count > 0 {
                data.append(contentsOf: buffer[..<count])
            } else if errno != EINTR {
                throw failure("cannot read", path)
            }
        }
    }

    /// Puts a new file in the place of the old one: whoever reads, and whatever crashes, finds the one or the other,
    /// whole. On disk when it returns.
    static func replace(_ path: String, with data: Data) throws(ClientError) {
        let draft = path + ".new"
        // Left by a crash.
        guard unlink(draft) == 0 || errno == ENOENT else { throw failure("cannot remove", draft) }
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure("cannot make", draft) }
        do throws(ClientError) {
            try write(data, to: descriptor, draft)
            guard fsync(descriptor) == 0 else { throw failure("cannot sync", draft) }
        } catch {
            close(descriptor)
            unlink(draft)
            throw error
        }
        close(descriptor)
        guard Foundation.rename(draft, path) == 0 else { throw failure("cannot replace", path) }
        try syncDirectory(of: path)
    }

    /// Harmless when there is no `path`. On disk when it returns.
    static func rename(_ path: String, to target: String) throws(ClientError) {
        guard Foundation.rename(path, target) == 0 else {
            if errno == ENOENT { return }
            throw failure("cannot rename", path)
        }
        try syncDirectory(of: target)
    }

    /// Harmless when there is none. Gone from the disk when it returns.
    static func remove(_ path: String) throws(ClientError) {
        if unlink(path) == 0 { return try syncDirectory(of: path) }
        guard errno == ENOENT else { throw failure("cannot remove", path) }
    }

    private static func write(
        _ data: Data, to descriptor: Int32, _ path: String
    ) throws(ClientError) {
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw failure("cannot write", path)
            }
        }
    }

    /// Without this a power cut may undo the rename.
    private static func syncDirectory(of path: String) throws(ClientError) {
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("cannot open", directory) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("cannot sync", directory) }
    }

    /// A full disk passes; the rest wants a person.
    private static func failure(_ what: String, _ path: String) -> ClientError {
        let reason = errno
        if ClientError.isDiskFull(reason) { return .diskFull }
        return ClientError(
            .storage(isTransient: reason == EIO),
            "\(what) \(path): \(String(cString: strerror(reason)))")
    }
}
