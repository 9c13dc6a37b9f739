import Foundation
import Testing

@testable import ChatterServer

@Suite("Room on a disk")
struct DiskRoomTests {
    private func isUsedUp(blocks: UInt, free: UInt, files: UInt, freeFiles: UInt, flags: Int32 = 0) -> Bool {
        var status = statvfs()
        (status.f_blocks, status.f_bavail, status.f_files, status.f_favail) = (blocks, free, files, freeFiles)
        status.f_flag = UInt(flags)
        return DiskRoom(status).isUsedUp
    }

    @Test("No space and no inodes are both no room; what counts neither is not full, nor what is read-only")
    func usedUp() {
        #expect(isUsedUp(blocks: 100, free: 0, files: 100, freeFiles: 5))
        #expect(isUsedUp(blocks: 100, free: 5, files: 100, freeFiles: 0))
        #expect(!isUsedUp(blocks: 100, free: 5, files: 100, freeFiles: 5))
        #expect(!isUsedUp(blocks: 100, free: 5, files: 0, freeFiles: 0))
        #expect(!isUsedUp(blocks: 0, free: 0, files: 0, freeFiles: 0))
        #expect(!isUsedUp(blocks: 100, free: 0, files: 100, freeFiles: 0, flags: Int32(ST_RDONLY)))
    }

    @Test("A directory that is not there yet is asked by the nearest one that is")
    func missing() throws {
        #expect(!DiskRoom(at: "/proc/nowhere/below").isUsedUp)
    }
}
