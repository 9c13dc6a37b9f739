import Arguments
import ChatterServer
import Foundation

/// The program's commands. `serve` is what runs without one.
enum ServerCommand {
    typealias Action = @Sendable (Values) async throws -> Void

    static let data = Option<String>(
        "data", "DIR", default: "./.chatter/server", environment: "CHATTER_DATA",
        "Where everything is kept; made when missing.")

    static let root = Command<Action>(
        "chatter-server", "The Chatter server.",
        description: "Without a command it serves. See docs/operations.md for how to run it in earnest.",
        shared: [data], parameters: ServeCommand.parameters,
        subcommands: [
            Command(
                "serve", "Serve apps until a signal ends it.", description: ServeCommand.description,
                parameters: ServeCommand.parameters, examples: ServeCommand.examples,
                action: ServeCommand.run),
            WorkspaceCommands.command,
            Command(
                "backup", "Copy the database to FILE, also while the server runs.",
                parameters: [BackupCommand.file],
                examples: [
                    Example("a backup named by the day", "chatter-server backup chatter-$(date +%F).db")
                ],
                action: BackupCommand.run),
        ],
        version: Version.current, action: ServeCommand.run)

    /// Runs a command line; the exit code is the answer.
    static func run(_ arguments: ArraySlice<String>, _ environment: [String: String]) async -> Int32 {
        do {
            switch try root.parse(Array(arguments), environment: environment) {
            case .print(let text): Output.write(text)
            case .run(let action, let values): try await action(values)
            }
            return 0
        } catch let error as UsageError {
            Output.complain(error.description)
            return UsageError.exitCode
        } catch let failure as StartFailure {
            Output.complain("chatter-server: \(failure.message)")
            return failure.exitCode
        } catch {
            Output.complain("chatter-server: \(StartFailure(error, directory: "the data directory").message)")
            return StartFailure.software
        }
    }
}

enum BackupCommand {
    static let file = Positional<String>("FILE", "The copy; replaces an earlier backup, and nothing else.")

    @Sendable static func run(_ values: Values) async throws {
        let target = values[file]
        try DataDirectory(path: values[ServerCommand.data]).backup(to: target)
        Output.write("backed up to \(target)\n")
    }
}
