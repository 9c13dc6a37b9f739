import Foundation

/// A person at a terminal: one profile of the `chatter` command.
public struct CommandLineUser: Sendable {
    public let name: String
    public let profile: String
    public let phone: String
    public let home: URL
    /// The server's URL, or that of a proxy before it.
    public let server: String

    /// - Parameter profile: The person's name unless they have several devices.
    public init(name: String, profile: String? = nil, phone: String, directory: URL, server: String) {
        self.name = name
        self.profile = profile ?? name
        self.phone = phone
        self.server = server
        home = directory.appendingPathComponent("clients")
    }

    public var profileDirectory: URL { home.appendingPathComponent(profile) }

    /// Starts one command; its standard error goes to a log beside the homes.
    public func start(_ arguments: [String]) throws -> ChildProcess {
        try ChildProcess(
            "chatter", arguments + ["--profile", profile],
            environment: ["CHATTER_HOME": home.path, "NO_COLOR": "1"],
            log: home.deletingLastPathComponent().appendingPathComponent("\(profile).log"))
    }

    /// Runs one command to its end and gives its standard output; throws unless it exits 0.
    @discardableResult
    public func run(_ arguments: [String]) async throws -> [String] {
        let child = try start(arguments)
        var lines: [String] = []
        for await line in child.lines { lines.append(line) }
        let status = await child.exit()
        guard status == 0 else {
            throw ProcessFailure("chatter \(arguments.joined(separator: " ")) exited \(status): \(lines)")
        }
        return lines
    }

    /// Runs a command with `--json` and reads the one value that it prints.
    public func read<Shape: Decodable>(_ shape: Shape.Type, _ arguments: [String]) async throws -> Shape {
        let output = try await run(arguments + ["--json"])
        return try JSONDecoder().decode(shape, from: Data(output.joined().utf8))
    }

    /// Signs in; the first time it makes the account.
    public func signUp() async throws {
        try await run([
            "login", "--server", server, "--phone", phone, "--code", "000000",
            "--name", name.capitalized, "--username", name,
        ])
    }
}
