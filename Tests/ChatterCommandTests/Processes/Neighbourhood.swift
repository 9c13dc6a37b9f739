import ChatterTestSupport
import Foundation

/// A server and people with profiles of their own, all as real processes in one temporary directory.
final class Neighbourhood: Sendable {
    struct Run: Sendable {
        var status: Int32
        var lines: [String]
        var errors: String

        var output: String { lines.joined(separator: "\n") }

        /// The one JSON object it printed.
        func json<Value: Decodable>(_ type: Value.Type) throws -> Value {
            try JSONDecoder().decode(type, from: Data(output.utf8))
        }
    }

    struct NoServer: Error {
        var log: String
    }

    let directory: TemporaryDirectory
    let port: String
    private let server: ChildProcess

    init() async throws {
        directory = try TemporaryDirectory()
        (server, port) = try await Self.startServer(in: directory, port: "0")
    }

    deinit { server.kill() }

    /// The same server again, on its port and with its data.
    func startAgain() async throws -> ChildProcess {
        try await Self.startServer(in: directory, port: port).server
    }

    func stopServer() async {
        server.kill(SIGTERM)
        _ = await server.exit()
    }

    private static func startServer(
        in directory: TemporaryDirectory, port: String
    ) async throws -> (server: ChildProcess, port: String) {
        let log = directory.file("server.log")
        let server = try ChildProcess(
            "chatter-server", ["--data", directory.file("server").path, "--listen", "127.0.0.1:\(port)"],
            log: log)
        for await line in server.lines where line.hasPrefix("listening on ") {
            guard let port = line.split(separator: ":").last else { break }
            return (server, String(port))
        }
        throw NoServer(log: try String(contentsOf: log, encoding: .utf8))
    }

    /// A running `chatter`, for those that go on until told otherwise.
    func start(_ person: String, _ arguments: [String], log: URL? = nil) throws -> ChildProcess {
        try ChildProcess("chatter", arguments, environment: environment(person), log: log)
    }

    /// `chatter` to its end.
    func run(_ person: String, _ arguments: String...) async throws -> Run {
        let log = directory.file("\(UUID().uuidString).log")
        return try await Self.end(of: try start(person, arguments, log: log), log)
    }

    /// A shell script in which `chatter` is this person's.
    func shell(_ person: String, _ script: String) async throws -> Run {
        let log = directory.file("\(UUID().uuidString).log")
        let path = ChildProcess.productsDirectory.path + ":/usr/bin:/bin"
        let shell = try ChildProcess(
            "/bin/sh", ["-c", script], environment: environment(person).merging(["PATH": path]) { $1 },
            log: log)
        return try await Self.end(of: shell, log)
    }

    /// `chatter` on a terminal, without the locale that a bare machine does not have either.
    func onTerminal(
        _ person: String, _ arguments: [String], columns: UInt16 = 60, rows: UInt16 = 20,
        environment extra: [String: String] = [:]
    ) throws -> PseudoTerminal {
        let terminal = ["TERM": "xterm-256color", "LC_ALL": "", "LANG": ""].merging(extra) { $1 }
        return try PseudoTerminal(
            arguments, environment: environment(person).merging(terminal) { $1 }, columns: columns, rows: rows
        )
    }

    private static func end(of process: ChildProcess, _ log: URL) async throws -> Run {
        var lines: [String] = []
        for await line in process.lines { lines.append(line) }
        return Run(
            status: await process.exit(), lines: lines, errors: try String(contentsOf: log, encoding: .utf8))
    }

    func signUp(_ person: String, phone: String) async throws -> Run {
        try await run(
            person, "login", "--phone", phone, "--code", "000000", "--name", person.capitalized, "--username",
            person)
    }

    /// Alice and Bob, signed up and friends.
    func makeFriends() async throws -> [Run] {
        [
            try await signUp("alice", phone: "+6591234567"), try await signUp("bob", phone: "+6591234568"),
            try await run("alice", "friend", "add", "bob"), try await run("bob", "friend", "accept", "alice"),
        ]
    }

    private func environment(_ person: String) -> [String: String] {
        [
            "CHATTER_HOME": directory.file("home").path, "CHATTER_PROFILE": person,
            "CHATTER_SERVER": "http://127.0.0.1:\(port)", "CHATTER_CLIENT_KEY": "",
        ]
    }
}
