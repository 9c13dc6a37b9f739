import ChatterModel
import ChatterServer
import ChatterTestSupport
import Foundation
import SQLite
import Testing

@Suite("A server on a full disk", .timeLimit(.minutes(2)))
struct FullDiskTests {
    @Test("However SQLite or the system say it, it is the same sentence")
    func sentence() {
        let expected = StartFailure(
            "the disk that holds /data is full: free some space, then start again", exitCode: 74)
        let full = SQLiteError(code: 13, message: "database or disk is full")
        let beside = SQLiteError(code: 4874, message: "disk I/O error", foundNoRoom: true)
        let errors: [any Error] = [
            full, beside, MigrationError.failed("0001 first", full),
            MigrationError.failed("0001 first", beside),
            LockError.diskFull(path: "/data/lock"),
        ]
        for error in errors { #expect(StartFailure(error, directory: "/data") == expected) }
        let other = SQLiteError(code: 4874, message: "disk I/O error")
        #expect(StartFailure(other, directory: "/data").exitCode == 73)
    }

    @Test(
        "A fresh one says so in one line, whatever little is left, and starts once there is space",
        .enabled(if: SmallDisk.isAvailable, "only who may mount has a small disk"),
        arguments: [0, 4, 16, 40, 100])
    func fresh(kilobytes: Int) async throws {
        let disk = try SmallDisk(kilobytes: 8192)
        let data = disk.url.appendingPathComponent("data").path
        try disk.fill(leaving: kilobytes)
        let result = try await runServer(["--data", data, "--listen", "127.0.0.1:0"])
        #expect(
            result.errors
                == "chatter-server: the disk that holds \(data) is full: free some space, then start again\n")
        #expect(result.status == 74)
        try disk.empty()
        let directory = try TemporaryDirectory()
        let server = try await ServerProcess(
            ["--data", data, "--listen", "127.0.0.1:0"], directory: directory)
        server.process.kill(SIGTERM)
        #expect(await server.process.exit() == 0)
    }
}
