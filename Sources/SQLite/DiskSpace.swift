import Foundation

/// Whether a disk is full: system calls and SQLite say it in several ways.
public enum DiskSpace {
    public enum Shortage: Hashable, Sendable {
        case space
        /// Of inodes: the system refuses a file with the same error as for want of space.
        case files
    }

    /// An errno that says so: no space, or none within the user's quota.
    public static func isExhausted(_ error: Int32) -> Bool { error == ENOSPC || error == EDQUOT }

    public static func isExhausted(holding path: String) -> Bool { shortage(holding: path) != nil }

    /// What is lacking on the disk that holds `path`, or will hold it: the nearest directory that is there counts.
    public static func shortage(holding path: String) -> Shortage? {
        var status = statvfs()
        var url = URL(fileURLWithPath: path)
        while statvfs(url.path, &status) != 0 {
            guard errno == ENOENT || errno == ENOTDIR, url.path != "/" else { return nil }
            url.deleteLastPathComponent()
        }
        return shortage(status)
    }

    static func shortage(_ status: statvfs) -> Shortage? {
        guard status.f_flag & UInt(ST_RDONLY) == 0 else { return nil }
        // Without blocks or inodes of its own (/proc, or btrfs' inodes) a number says nothing.
        if status.f_blocks > 0, UInt64(status.f_bavail) * UInt64(status.f_frsize) < needed { return .space }
        if status.f_files > 0, status.f_favail == 0 { return .files }
        return nil
    }

    /// What a database needs beside its file: the index of a WAL has 32 KiB.
    private static let needed: UInt64 = 65_536
}
