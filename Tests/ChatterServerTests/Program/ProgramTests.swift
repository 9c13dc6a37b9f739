import ChatterModel
import ChatterServer
import ChatterTestSupport
import Foundation
import SQLite
import Testing
import WebSockets

@Suite("chatter-server as a program", .timeLimit(.minutes(2)))
struct ProgramTests {
    private let directory: TemporaryDirectory
    private let data: String

    init() throws {
        directory = try TemporaryDirectory()
        data = directory.file("data").path
    }

    private func start(_ arguments: String...) async throws -> ServerProcess {
        try await ServerProcess(
            ["--data", data, "--listen", "127.0.0.1:0"] + arguments, directory: directory)
    }

    @Test("It says where it listens and which key opens it; SIGTERM ends it with 0")
    func startAndStop() async throws {
        let server = try await start()
        #expect(server.lines.contains("client key: ck_demo"))
        #expect(server.url.hasPrefix("http://127.0.0.1:") && !server.url.hasSuffix(":0"))
        #expect(await server.call("GET", "/healthz")?.status == 200)
        #expect(try await server.signIn(phone: "+14155552671") != nil)
        server.process.kill(SIGTERM)
        #expect(await server.process.exit() == 0)
        // Nothing is left in the log: the one file is the whole database.
        #expect(!FileManager.default.fileExists(atPath: data + "/chatter.db-wal"))
        #expect(try server.logText.contains(" stopped"))
    }

    @Test("SIGINT ends it like SIGTERM does")
    func interrupt() async throws {
        let server = try await start()
        server.process.kill(SIGINT)
        #expect(await server.process.exit() == 0)
    }

    @Test("What was answered survives kill -9: every sign-in of four clients still opens after the restart")
    func killed() async throws {
        let first = try await start("--rate-limits", "off")
        let acked = try await withThrowingTaskGroup(of: [SignedIn].self) { group in
            for client in 0..<4 {
                group.addTask {
                    var acked: [SignedIn] = []
                    while let signedIn = try await first.signIn(
                        phone: "+1555\(client)\(100_000 + acked.count)")
                    {
                        acked.append(signedIn)
                        if client == 0, acked.count == 20 { first.process.kill(SIGKILL) }
                    }
                    return acked
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(await first.process.exit() == 128 + SIGKILL)
        #expect(acked.count >= 20)
        let second = try await start("--rate-limits", "off")
        for signedIn in acked {
            let answer = await second.call("GET", "/v1/devices", token: signedIn.accessToken)
            #expect(answer?.status == 200)
        }
        second.process.kill(SIGTERM)
        #expect(await second.process.exit() == 0)
        let database = try Database(path: data + "/chatter.db", mode: .readOnly)
        #expect(try database.integrityCheck().isEmpty)
    }

    @Test("A data directory in use is named with the process that has it")
    func locked() async throws {
        let server = try await start()
        let second = try await runServer(["--data", data, "--listen", "127.0.0.1:0"])
        #expect(second.status == 75)
        #expect(second.errors.contains("is in use by another chatter-server (process \(server.process.pid))"))
        #expect(second.errors.contains("pass another --data"))
        server.process.kill(SIGTERM)
        #expect(await server.process.exit() == 0)
    }

    @Test("A port in use is said, with what to do")
    func portInUse() async throws {
        let server = try await start()
        let address = String(server.url.dropFirst("http://".count))
        let second = try await runServer(["--data", data + "2", "--listen", address])
        #expect(second.status == 69)
        #expect(
            second.errors
                == "chatter-server: \(address) is in use: stop the other program, or pass another --listen\n")
        server.process.kill(SIGTERM)
        #expect(await server.process.exit() == 0)
    }

    @Test("A newer database is refused, with the way out")
    func newerSchema() async throws {
        let server = try await start()
        server.process.kill(SIGTERM)
        #expect(await server.process.exit() == 0)
        let database = try Database(path: data + "/chatter.db", mode: .readWrite)
        try database.run("INSERT INTO migrations VALUES ('0099 later', '', '')")
        database.close()
        let again = try await runServer(["--data", data, "--listen", "127.0.0.1:0"])
        #expect(again.status == 78)
        #expect(again.errors.contains("is from a newer chatter-server (it has 0099 later)"))
        #expect(again.errors.contains("restore a backup"))
    }

    @Test("A damaged database is not started on")
    func damaged() async throws {
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        try Data(repeating: 7, count: 8192).write(to: URL(fileURLWithPath: data + "/chatter.db"))
        let result = try await runServer(["--data", data, "--listen", "127.0.0.1:0"])
        #expect(result.status == 74)
        #expect(result.errors.contains("is damaged: restore a backup"))
    }

    @Test(
        "Whatever else keeps it from starting is one line that says what to do, and an exit code",
        arguments: [
            (["--listen", "0.0.0.0:0"], 64, "pass --no-challenge (random codes), or --challenge"),
            (["--listen", "127.0.0.1:0", "--behind-proxy"], 64, "pass --no-challenge"),
            (["--challenge", "--no-challenge"], 64, "exclude each other"),
            (["--listen", "nonsense"], 64, "an address such as 127.0.0.1:8080"),
            (["--listen", "192.0.2.1:0", "--no-challenge"], 78, "this machine has no address 192.0.2.1:0"),
            (["--code-sender", "webhook"], 64, "--code-webhook"),
            (["--code-sender", "webhook", "--code-webhook", "ftp://x"], 64, "http or https URL"),
            (["--tls-certificate", "/nonexistent.pem"], 64, "pass both"),
            (["--tls-certificate", "/nonexistent.pem", "--tls-key", "/nonexistent.key"], 66, "No such file"),
            (
                [
                    "--tls-certificate", "/etc/hostname", "--tls-key", "/etc/hostname", "--listen",
                    "127.0.0.1:0",
                ], 78, "cannot serve TLS"
            ),
            (["--no-such-flag"], 64, "there is no flag '--no-such-flag'"),
            (["--data", "/proc/nowhere"], 73, "cannot make the directory /proc/nowhere"),
            (
                ["--data", "/etc/hostname"], 73,
                "/etc/hostname is a file, not a directory: pass another --data"
            ),
            (["--data", "/etc/hostname/data"], 73, "a file stands where a directory"),
            (["workspace", "list", "--data", "/nonexistent"], 66, "there is no database in /nonexistent"),
            (["workspace", "rotate", "x", "--data", "/nonexistent"], 66, "there is no database in"),
            (["backup", "copy.db", "--data", "/nonexistent"], 66, "there is no database in /nonexistent"),
            (["nonsense"], 64, "there is no command 'nonsense'"),
        ] as [([String], Int32, String)])
    func refusals(_ arguments: [String], _ status: Int32, _ words: String) async throws {
        let result = try await runServer(arguments, environment: ["CHATTER_DATA": data])
        #expect(result.status == status)
        #expect(result.errors.contains(words), "\(result.errors)")
        #expect(result.errors.split(separator: "\n").count == 1 && result.output.isEmpty)
    }

    @Test("Workspaces are made, listed and rotated beside the running server, for people and for scripts")
    func workspaces() async throws {
        let server = try await start()
        let made = try await runServer(["workspace", "create", "acme", "--json", "--data", data])
        let keys = try JSONDecoder().decode(WorkspaceKeys.self, from: Data(made.output.utf8))
        #expect(made.status == 0 && keys.name == "acme")
        let code = try Wire.encode(RequestCode(phone: "+14155552671"))
        #expect(
            await server.call("POST", "/v1/auth/request-code", body: code, clientKey: keys.clientKey)?.status
                == 200)
        let list = try await runServer(["workspace", "list", "--data", data])
        #expect(
            list.output.contains("\(keys.id)  \(keys.clientKey)  acme")
                && !list.output.contains(keys.clientSecret))
        let rotated = try await runServer(["workspace", "rotate", keys.id, "--data", data])
        #expect(rotated.status == 0 && rotated.output.contains("is not shown again"))
        #expect(!rotated.output.contains(keys.clientSecret))
        let nobody = try await runServer(["workspace", "rotate", "nobody", "--data", data])
        #expect(nobody.status == 66 && nobody.errors.contains("workspace list"))
        server.process.kill(SIGTERM)
        #expect(await server.process.exit() == 0)
    }

    @Test("A backup taken from the running server starts a server that knows the same people")
    func backup() async throws {
        let server = try await start()
        let signedIn = try #require(try await server.signIn(phone: "+14155552671"))
        let restored = directory.file("restored")
        try FileManager.default.createDirectory(at: restored, withIntermediateDirectories: true)
        let copy = restored.appendingPathComponent("chatter.db").path
        let result = try await runServer(["backup", copy, "--data", data])
        #expect(result.status == 0 && result.output == "backed up to \(copy)")
        server.process.kill(SIGTERM)
        #expect(await server.process.exit() == 0)
        let second = try await ServerProcess(
            ["--data", restored.path, "--listen", "127.0.0.1:0"], directory: directory)
        // Tokens are derived from a key that is in the backup too.
        #expect(await second.call("GET", "/v1/devices", token: signedIn.accessToken)?.status == 200)
        second.process.kill(SIGTERM)
        #expect(await second.process.exit() == 0)
    }

    @Test("Everything can be said by environment variables; a flag wins")
    func environment() async throws {
        let server = try await ServerProcess(
            ["--log-format", "json"], directory: directory,
            environment: [
                "CHATTER_DATA": data, "CHATTER_LISTEN": "127.0.0.1:0", "CHATTER_NO_CHALLENGE": "1",
                "CHATTER_LOG_FORMAT": "text",
            ])
        #expect(!server.lines.contains { $0.contains("ck_demo") })
        // The demo workspace's key opens nothing outside challenge mode.
        let code = try Wire.encode(RequestCode(phone: "+14155552671"))
        #expect(await server.call("POST", "/v1/auth/request-code", body: code)?.status == 401)
        server.process.kill(SIGTERM)
        #expect(await server.process.exit() == 0)
        let lines = try server.logText.split(separator: "\n")
        #expect(!lines.isEmpty)
        for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    }

    @Test("With a certificate it serves TLS, and says https")
    func tls() async throws {
        let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../WebSocketsTests/Fixtures").standardizedFileURL.path
        let server = try await ServerProcess(
            [
                "--data", data, "--listen", "127.0.0.1:0", "--tls-certificate", fixtures + "/localhost.pem",
                "--tls-key", fixtures + "/localhost.key",
            ], directory: directory)
        #expect(server.url.hasPrefix("https://127.0.0.1:"))
        // `!`: the ready line's URL and a fixed path.
        var configuration = WebSocketClientConfiguration(
            url: URL(string: server.url.replacingOccurrences(of: "127.0.0.1", with: "localhost") + "/v1/ws")!)
        configuration.trustedCertificatePath = fixtures + "/authority.pem"
        let error = await #expect(throws: WebSocketError.self) {
            try await WebSocketClient.connect(configuration)
        }
        // The handshake of TLS went well: it is the server that refuses, for want of a key.
        guard case .refused(401, _, _)? = error else {
            Issue.record("not refused by the server: \(String(describing: error))")
            return
        }
        server.process.kill(SIGTERM)
        #expect(await server.process.exit() == 0)
    }

    @Test("Version and help are printed, not complained about")
    func help() async throws {
        let version = try await runServer(["--version"])
        #expect(version.status == 0 && version.output == "chatter-server \(Version.current)")
        let help = try await runServer(["serve", "--help"])
        #expect(help.status == 0 && help.output.contains("--listen HOST:PORT") && help.errors.isEmpty)
    }
}
