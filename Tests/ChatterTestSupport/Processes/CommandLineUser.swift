import Foundation

/// A person at a terminal: one profile of the `chatter` command, behind a network of their own.
public struct CommandLineUser: Sendable {
    public let name: String
    public let phone: String
    public let home: URL
    public let proxy: FaultProxy

    public init(name: String, phone: String, directory: URL, server: ServerProcess, seed: UInt64) throws {
        self.name = name
        self.phone = phone
        home = directory.appendingPathComponent("clients")
        proxy = try FaultProxy(upstreamPort: server.port, seed: seed)
    }

    public var profileDirectory: URL { home.appendingPathComponent(name) }

    public var environment: [String: String] { ["CHATTER_HOME": home.path, "NO_COLOR": "1"] }

    /// Runs one command to its end and gives its standard output; throws unless it exits 0.
    @discardableResult
    public func run(_ arguments: [String]) async throws -> [String] {
        let log = home.deletingLastPathComponent().appendingPathComponent("\(name).log")
        let child = try ChildProcess(
            "chatter", arguments + ["--profile", name], environment: environment, log: log)
        var lines: [String] = []
        for await line in child.lines { lines.append(line) }
        let status = await child.exit()
        guard status == 0 else {
            throw ProcessFailure("chatter \(arguments.joined(separator: " ")) exited \(status): \(lines)")
        }
        return lines
    }

    public func signUp() async throws {
        try await run([
            "login", "--server", "http://127.0.0.1:\(proxy.port)", "--phone", phone, "--code", "000000",
            "--name", name.capitalized, "--username", name,
        ])
    }
}
