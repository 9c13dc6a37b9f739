import ChatterTestSupport
import Foundation
import Testing

@testable import ChatterClient

@Suite("One refresh at a time between processes", .timeLimit(.minutes(5)))
struct RefreshLockTests {
    private let home: TemporaryDirectory
    private var path: String { home.file("refresh.lock").path }

    /// However slow the machine is: only one test is about patience.
    private static let endless = Duration.seconds(3600)
    private func lock() -> FileRefreshLock { FileRefreshLock(path: path, patience: Self.endless) }

    init() throws { home = try TemporaryDirectory() }

    // Field case 48
    @Test("Two holders never overlap")
    func exclusive() async throws {
        // Two locks on one file exclude each other as those of two processes do: flock is per open file.
        let (first, second) = (lock(), lock())
        let inside = Counter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<20 {
                group.addTask {
                    try await (index % 2 == 0 ? first : second).holding { () async throws(ClientError) in
                        #expect(inside.increment() == 1)
                        await Task.yield()
                        inside.reset()
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("A lock that does not come in time is an outage, and does not stay taken by the one who gave up")
    func patience() async throws {
        let impatient = FileRefreshLock(path: path, patience: .milliseconds(50))
        let holder = FileRefreshLock(path: path)
        try await holder.holding { () async throws(ClientError) in
            let error = await clientError { () throws(ClientError) in
                try await impatient.holding { () async throws(ClientError) in }
            }
            #expect(error?.kind == .outage)
        }
        try await holder.holding { () async throws(ClientError) in }
    }

    @Test("A process that dies gives it back")
    func death() async throws {
        let child = try ChildProcess(
            "/usr/bin/flock", ["--no-fork", path, "/bin/sh", "-c", "echo held; exec cat"])
        for await line in child.lines where line == "held" { break }
        let waiting = Task { [path] in
            await clientError { () throws(ClientError) in
                try await FileRefreshLock(path: path, patience: Self.endless).holding {
                    () async throws(ClientError) in
                }
            }
        }
        child.kill()
        #expect(await waiting.value == nil)
    }

    @Test("A lock file that cannot be made is an error")
    func noDirectory() async {
        let lock = FileRefreshLock(path: home.file("missing/refresh.lock").path)
        let error = await clientError { () throws(ClientError) in
            try await lock.holding { () async throws(ClientError) in }
        }
        #expect(error?.kind == .storage(isTransient: false))
    }
}
