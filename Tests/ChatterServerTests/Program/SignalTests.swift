import ChatterTestSupport
import Foundation
import Testing

@Suite("Signals to chatter-server", .timeLimit(.minutes(3)))
struct SignalTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test("SIGTERM at the very moment of the ready line drains it and ends it with 0, every time")
    func atTheReadyLine() async throws {
        for round in 0..<20 {
            let server = try await ServerProcess(
                ["--data", directory.file("data").path, "--listen", "127.0.0.1:0"], directory: directory)
            server.process.kill(round % 2 == 0 ? SIGTERM : SIGINT)
            #expect(await server.process.exit() == 0)
            #expect(try server.logText.contains(" stopped"))
        }
    }

    @Test("SIGTERM while it is still starting ends it with 0 as well")
    func whileStarting() async throws {
        for round in 0..<10 {
            let data = directory.file("data \(round)")
            let process = try ChildProcess(
                "chatter-server", ["--data", data.path, "--listen", "127.0.0.1:0"])
            // The first thing that a start leaves behind.
            let lock = data.appendingPathComponent("lock").path
            while !FileManager.default.fileExists(atPath: lock) {
                try Task.checkCancellation()
                await Task.yield()
            }
            process.kill(SIGTERM)
            #expect(await process.exit() == 0)
        }
    }
}
