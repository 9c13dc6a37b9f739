import Foundation

/// Whether a file system can take another file. One with free space and no free inodes refuses with the same error as
/// a full one, and SQLite tells neither from missing rights.
struct DiskRoom {
    let isUsedUp: Bool

    init(_ status: statvfs) {
        // Without blocks or inodes of its own (/proc, or btrfs' inodes) a number says nothing.
        let hasSpace = status.f_blocks == 0 || status.f_bavail > 0
        let hasFiles = status.f_files == 0 || status.f_favail > 0
        let isWritable = status.f_flag & UInt(ST_RDONLY) == 0
        isUsedUp = isWritable && !(hasSpace && hasFiles)
    }

    /// Of the file system that holds `path`, or will: the nearest directory that is there counts.
    init(at path: String) {
        var status = statvfs()
        var url = URL(fileURLWithPath: path)
        while statvfs(url.path, &status) != 0, url.path != "/" { url.deleteLastPathComponent() }
        self.init(status)
    }
}
