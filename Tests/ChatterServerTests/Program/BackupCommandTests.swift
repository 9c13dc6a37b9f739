import ChatterModel
import ChatterTestSupport
import Foundation
import SQLite
import Testing

@Suite("The backup command", .timeLimit(.minutes(2)))
struct BackupCommandTests {
    private let directory: TemporaryDirectory
    private let data: String

    init() throws {
        directory = try TemporaryDirectory()
        data = directory.file("data").path
    }

    private func start() async throws -> ServerProcess {
        try await ServerProcess(["--data", data, "--listen", "127.0.0.1:0"], directory: directory)
    }

    private func link(_ name: String, to path: String, _ make: (String, String) -> Int32) throws -> String {
        let link = directory.file(name).path
        #expect(make(path, link) == 0)
        return link
    }

    @Test("Onto the database it copies, under whatever name, it is refused: nothing acknowledged is lost")
    func ontoItself() async throws {
        let server = try await start()
        let signedIn = try #require(try await server.signIn(phone: "+14155552671"))
        let targets = [
            data + "/chatter.db", data + "/chatter.db-wal", data + "/chatter.db-shm",
            data + "/chatter.db-journal", data + "/lock",
            try link("symlink.db", to: data + "/chatter.db") { symlink($0, $1) },
            try link("hardlink.db", to: data + "/chatter.db") { Foundation.link($0, $1) },
            try link("folder", to: data) { symlink($0, $1) } + "/chatter.db",
        ]
        for target in targets {
            let result = try await runServer(["backup", target, "--data", data])
            #expect(result.status == 73, "\(target)")
            #expect(result.errors.contains("pass another FILE") && result.output.isEmpty, "\(result.errors)")
            #expect(result.errors.split(separator: "\n").count == 1)
        }
        server.process.kill(SIGKILL)
        _ = await server.process.exit()
        let again = try await start()
        #expect(await again.call("GET", "/v1/devices", token: signedIn.accessToken)?.status == 200)
        again.process.kill(SIGTERM)
        #expect(await again.process.exit() == 0)
    }

    @Test("It replaces an earlier backup and an empty file, and nothing else that is there")
    func replaces() async throws {
        let server = try await start()
        server.process.kill(SIGTERM)
        #expect(await server.process.exit() == 0)
        let file = directory.file("copy.db").path
        try Data().write(to: URL(fileURLWithPath: file))
        for _ in 0..<2 {
            let result = try await runServer(["backup", file, "--data", data])
            #expect(result.status == 0, "\(result.errors)")
        }
        let photo = directory.file("photo.jpg").path
        try Data(repeating: 0xff, count: 4096).write(to: URL(fileURLWithPath: photo))
        let other = directory.file("other").path
        let second = try await ServerProcess(
            ["--data", other, "--listen", "127.0.0.1:0"], directory: directory)
        for target in [photo, directory.file("data").path, other + "/chatter.db"] {
            let result = try await runServer(["backup", target, "--data", data])
            #expect(result.status == 73 && result.errors.contains("pass another FILE"), "\(result)")
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: photo)).count == 4096)
        second.process.kill(SIGTERM)
        #expect(await second.process.exit() == 0)
        // Stopped, it is no backup either: somebody's server lives in it.
        #expect(try await runServer(["backup", other + "/chatter.db", "--data", data]).status == 73)
    }
}
