import Foundation
import SQLite
import Testing

@Suite("Only one process owns a directory", .timeLimit(.minutes(5)))
struct FileLockTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private var path: String { directory.file("lock") }

    @Test("The second is refused and told who has it")
    func refused() throws {
        let lock = try FileLock(path: path)
        let owner = ProcessInfo.processInfo.processIdentifier
        let error = #expect(throws: LockError.self) { try FileLock(path: path) }
        #expect(error == .heldByAnother(processID: owner))
        #expect(error?.description.contains("\(owner)") == true)
        withExtendedLifetime(lock) {}
    }

    @Test("It is free again when its owner lets go")
    func released() throws {
        for _ in 0..<3 {
            let lock = try FileLock(path: path)
            withExtendedLifetime(lock) {}
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "\(getpid())\n")
    }

    @Test("A path that cannot be made is another error")
    func unusablePath() throws {
        let error = #expect(throws: LockError.self) { try FileLock(path: directory.file("nowhere/lock")) }
        guard case .failed(let path, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(path.hasSuffix("nowhere/lock"))
    }

    #if os(Linux)
        /// Another process that holds the lock, by util-linux's flock, until its input ends or it is killed.
        private func holder() throws -> (process: Process, input: Pipe) {
            let process = Process()
            let (input, output) = (Pipe(), Pipe())
            process.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
            process.arguments = ["--no-fork", "--nonblock", path, "sh", "-c", "echo locked; exec cat"]
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            let line = output.fileHandleForReading.availableData
            try #require(String(decoding: line, as: UTF8.self) == "locked\n")
            return (process, input)
        }

        @Test("Another process's lock is seen, and gone when it ends")
        func otherProcess() throws {
            let (process, input) = try holder()
            #expect(throws: LockError.heldByAnother(processID: nil)) { try FileLock(path: path) }
            try input.fileHandleForWriting.close()
            process.waitUntilExit()
            withExtendedLifetime(try FileLock(path: path)) {}
        }

        @Test("A lock dies with its process")
        func killed() throws {
            let (process, input) = try holder()
            #expect(throws: LockError.self) { try FileLock(path: path) }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            withExtendedLifetime(try FileLock(path: path)) {}
            withExtendedLifetime(input) {}
        }

        @Test("Another process sees ours, and a child of ours does not inherit it")
        func childDoesNotInherit() throws {
            let sleeper = Process()
            let input = Pipe()
            sleeper.executableURL = URL(fileURLWithPath: "/bin/cat")
            sleeper.standardInput = input
            do {
                let lock = try FileLock(path: path)
                try sleeper.run()
                let probe = try Process.run(
                    URL(fileURLWithPath: "/usr/bin/flock"), arguments: ["--nonblock", path, "true"])
                probe.waitUntilExit()
                #expect(probe.terminationStatus == 1)
                withExtendedLifetime(lock) {}
            }
            withExtendedLifetime(try FileLock(path: path)) {}
            try input.fileHandleForWriting.close()
            sleeper.waitUntilExit()
        }
    #endif
}
