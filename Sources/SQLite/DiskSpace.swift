import Foundation

/// Whether a disk is full: system calls and SQLite say it in several ways.
public enum DiskSpace {
    /// An errno that says so: no space, or none within the user's quota.
    public static func isExhausted(_ error: Int32) -> Bool { error == ENOSPC || error == EDQUOT }

    /// Less is left on the disk that holds `path`, or will hold it, than a database needs beside its file.
    public static func isExhausted(holding path: String) -> Bool {
        var status = statvfs()
        var url = URL(fileURLWithPath: path)
        while statvfs(url.path, &status) != 0 {
            guard errno == ENOENT || errno == ENOTDIR, url.path != "/" else { return false }
            url.deleteLastPathComponent()
        }
        // Without blocks it is none of a disk.
        guard status.f_blocks > 0 else { return false }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize) < needed
    }

    /// The index of a WAL has 32 KiB.
    private static let needed: UInt64 = 65_536
}
