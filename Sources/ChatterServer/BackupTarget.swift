import Foundation

/// The file that a backup is to become. A rename over the wrong file would lose what was acknowledged, or something
/// that Chatter has nothing to do with.
struct BackupTarget {
    private let path: String

    init(path: String) { self.path = path }

    /// Throws `StartFailure` unless the place is free, or holds an earlier backup or an empty file.
    func check(against source: DataDirectory) throws(StartFailure) {
        try checkIsNoPart(of: source)
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT { return }
            throw refusal("cannot look at \(path): \(String(cString: strerror(errno)))")
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw refusal("\(path) is not a file") }
        guard status.st_size == 0 || isBackup else { throw refusal("\(path) is there and is no backup") }
    }

    /// By name in the same directory, because a log that is not there now will be; and by file, because of links.
    private func checkIsNoPart(of source: DataDirectory) throws(StartFailure) {
        let url = URL(fileURLWithPath: path)
        let parts = ["", "-wal", "-shm", "-journal"].map { source.databasePath + $0 } + [source.lockPath]
        let isInside = Identity(url.deletingLastPathComponent().path) == Identity(source.path)
        let isNamed =
            isInside && parts.contains { URL(fileURLWithPath: $0).lastPathComponent == url.lastPathComponent }
        let identity = Identity(path)
        guard !isNamed, identity == nil || !parts.contains(where: { Identity($0) == identity }) else {
            throw refusal("\(path) belongs to the database that is to be copied")
        }
    }

    private func refusal(_ why: String) -> StartFailure {
        StartFailure("\(why): pass another FILE", exitCode: StartFailure.cannotCreate)
    }

    /// A database whose header says that it has no log, which holds for a backup and never for a server's database.
    private var isBackup: Bool {
        guard let file = FileHandle(forReadingAtPath: path), let header = try? file.read(upToCount: 20) else {
            return false
        }
        return header.starts(with: Array("SQLite format 3\0".utf8)) && header.suffix(2) == Data([1, 1])
    }

    /// Which file a path leads to, links followed.
    private struct Identity: Equatable {
        let device: dev_t
        let file: ino_t

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            (device, file) = (status.st_dev, status.st_ino)
        }
    }
}
