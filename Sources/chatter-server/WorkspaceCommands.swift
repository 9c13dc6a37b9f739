import Arguments
import ChatterServer
import Foundation

/// `workspace create|list|rotate`: beside a running server, or without one.
enum WorkspaceCommands {
    private static let name = Positional<String>("NAME", "What the operator calls it.")
    private static let id = Positional<String>("ID", "As 'workspace list' shows it.")
    private static let json = Option<Bool>("json", "Print JSON.")

    static let command = Command<ServerCommand.Action>(
        "workspace", "Create, list and rotate workspaces: the apps that this server serves.",
        shared: [json],
        subcommands: [
            Command(
                "create", "Create a workspace; prints its key and, once, its secret.",
                parameters: [name], action: create),
            Command("list", "List the workspaces with their client keys.", action: list),
            Command(
                "rotate", "Give a workspace a new key and secret; the old ones end within 5 seconds.",
                parameters: [id], action: rotate),
        ])

    @Sendable private static func create(_ values: Values) async throws {
        try DataDirectory(path: values[ServerCommand.data]).create()
        try print(open(values) { try $0.create(name: values[name]) }, asJSON: values[json])
    }

    @Sendable private static func rotate(_ values: Values) async throws {
        try DataDirectory(path: values[ServerCommand.data]).requireDatabase()
        try print(open(values) { try $0.rotate(id: values[id]) }, asJSON: values[json])
    }

    @Sendable private static func list(_ values: Values) async throws {
        try DataDirectory(path: values[ServerCommand.data]).requireDatabase()
        let all = try open(values) { try $0.list() }
        if values[json] { return try printJSON(all) }
        for workspace in all {
            Output.write("\(workspace.id)  \(workspace.clientKey)  \(workspace.name)\n")
        }
    }

    private static func open<T>(_ values: Values, _ body: (WorkspaceRegister) throws -> T) throws -> T {
        let directory = DataDirectory(path: values[ServerCommand.data])
        do {
            return try body(WorkspaceRegister(databasePath: directory.databasePath))
        } catch WorkspaceRegister.Failure.noSuchWorkspace {
            throw StartFailure(
                "no workspace has this id: see 'chatter-server workspace list'",
                exitCode: StartFailure.noInput)
        } catch WorkspaceRegister.Failure.nameMissing {
            throw StartFailure("a workspace needs a name", exitCode: StartFailure.usage)
        } catch {
            throw StartFailure(error, directory: directory.path)
        }
    }

    private static func print(_ keys: WorkspaceKeys, asJSON: Bool) throws {
        if asJSON { return try printJSON(keys) }
        Output.write(
            """
            workspace      \(keys.name) (\(keys.id))
            client key     \(keys.clientKey)
            client secret  \(keys.clientSecret)
            The key goes into the app. The secret is for the admin API, never for an app, and is not shown again.

            """)
    }

    private static func printJSON(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        Output.write(String(decoding: try encoder.encode(value), as: UTF8.self) + "\n")
    }
}
