import Foundation
import Testing

@testable import SQLite

@Suite("Room on a disk")
struct DiskSpaceTests {
    private func shortage(
        blocks: UInt, free: UInt, files: UInt, freeFiles: UInt, flags: Int32 = 0
    ) -> DiskSpace.Shortage? {
        var status = statvfs()
        (status.f_frsize, status.f_flag) = (4096, UInt(flags))
        (status.f_blocks, status.f_bavail, status.f_files, status.f_favail) = (blocks, free, files, freeFiles)
        return DiskSpace.shortage(status)
    }

    @Test(
        "No space and no inodes are both a shortage; what counts neither is not full, nor what is read-only")
    func shortages() {
        #expect(shortage(blocks: 100, free: 0, files: 100, freeFiles: 5) == .space)
        #expect(shortage(blocks: 100, free: 50, files: 100, freeFiles: 0) == .files)
        #expect(shortage(blocks: 100, free: 50, files: 100, freeFiles: 5) == nil)
        #expect(shortage(blocks: 100, free: 50, files: 0, freeFiles: 0) == nil)
        #expect(shortage(blocks: 0, free: 0, files: 0, freeFiles: 0) == nil)
        #expect(shortage(blocks: 100, free: 0, files: 100, freeFiles: 0, flags: Int32(ST_RDONLY)) == nil)
    }

    @Test("The last pages of a disk are too few for a database's log")
    func edge() {
        #expect(shortage(blocks: 100, free: 15, files: 100, freeFiles: 5) == .space)
        #expect(shortage(blocks: 100, free: 16, files: 100, freeFiles: 5) == nil)
    }

    @Test("A directory that is not there yet is asked by the nearest one that is")
    func missing() {
        #expect(DiskSpace.shortage(holding: "/proc/nowhere/below") == nil)
    }
}
