import Foundation

/// A file system of a few kilobytes, for what happens when it is full. Only who may mount can have one.
public final class SmallDisk: Sendable {
    private let directory: TemporaryDirectory

    public static let isAvailable: Bool = {
        do {
            _ = try SmallDisk(kilobytes: 64)
            return true
        } catch {
            return false
        }
    }()

    public init(kilobytes: Int) throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        guard mount("tmpfs", url.path, "tmpfs", 0, "size=\(kilobytes)k") == 0 else {
            throw POSIXFailure("mounting \(url.path)")
        }
    }

    deinit { umount2(url.path, Int32(MNT_DETACH)) }

    public var url: URL { directory.file("disk") }

    /// Takes everything but this much.
    public func fill(leaving kilobytes: Int = 0) throws {
        var status = statvfs()
        guard statvfs(url.path, &status) == 0 else { throw POSIXFailure("looking at \(url.path)") }
        let room = Int(status.f_bavail) * Int(status.f_frsize) - kilobytes * 1024
        try Data(count: max(0, room)).write(to: filler)
    }

    public func empty() throws { try FileManager.default.removeItem(at: filler) }

    private var filler: URL { url.appendingPathComponent("filler") }
}
