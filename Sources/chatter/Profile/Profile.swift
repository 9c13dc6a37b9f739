import ChatterClient
import ChatterModel
import Foundation

/// One account's folder on this machine, and which server it belongs to.
struct Profile: Sendable {
    /// What sign-in remembers, in `profile.json`.
    struct Settings: Codable, Equatable, Sendable {
        var server: String
        var clientKey: String
    }

    let name: ProfileName
    let directory: URL
    let settings: Settings

    static let firstServer = "http://127.0.0.1:8080"
    static let firstClientKey = "ck_demo"

    /// What the command line says wins over what sign-in remembered, and that over the first defaults.
    init(_ context: CommandContext) throws {
        let values = context.values
        name = values[SharedOptions.profile]
        let home = Self.home(values[SharedOptions.home], environment: context.environment)
        directory = home.appendingPathComponent(name.argument, isDirectory: true)
        let remembered = try Self.remembered(in: directory)
        settings = Settings(
            server: values[SharedOptions.server]?.argument ?? remembered?.server ?? Self.firstServer,
            clientKey: values[SharedOptions.clientKey] ?? remembered?.clientKey ?? Self.firstClientKey)
    }

    var server: ServerURL {
        get throws {
            guard let server = ServerURL(argument: settings.server) else {
                throw Failure(
                    .failure, "\(Self.file(in: directory).path) names no server; sign in with --server.")
            }
            return server
        }
    }

    func configuration() throws -> ClientConfiguration {
        ClientConfiguration(
            serverURL: try server.url, clientKey: settings.clientKey, directory: directory,
            device: DeviceDescription(
                name: String("chatter on \(ProcessInfo.processInfo.hostName)".prefix(64)), platform: "cli"))
    }

    func makeDirectory() throws {
        do {
            try FileManager.default.createDirectory(
                at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw Failure(
                .noFolder, "The folder \(directory.path) can't be made; choose another with --home DIR.")
        }
    }

    /// Called at sign-in.
    func remember() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            try encoder.encode(settings).write(to: Self.file(in: directory), options: .atomic)
        } catch {
            throw Failure(.noFolder, "The folder \(directory.path) can't be written.")
        }
    }

    static func home(_ given: String?, environment: [String: String]) -> URL {
        if let given { return URL(fileURLWithPath: given, isDirectory: true) }
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
            return URL(fileURLWithPath: data, isDirectory: true).appendingPathComponent("chatter")
        }
        // Foundation would ask the user database, where the shell's ~ goes by the variable.
        let home =
            if let home = environment["HOME"], home.hasPrefix("/") {
                URL(fileURLWithPath: home, isDirectory: true)
            } else {
                FileManager.default.homeDirectoryForCurrentUser
            }
        return home.appendingPathComponent(".local/share/chatter")
    }

    private static func file(in directory: URL) -> URL { directory.appendingPathComponent("profile.json") }

    private static func remembered(in directory: URL) throws -> Settings? {
        let file = file(in: directory)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        do {
            return try JSONDecoder().decode(Settings.self, from: Data(contentsOf: file))
        } catch {
            throw Failure(
                .noFolder, "\(file.path) can't be read. Move it away and sign in again with: chatter login")
        }
    }
}
