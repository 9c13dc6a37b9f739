import Arguments
import ChatterClient
import ChatterModel
import Foundation

/// One account's folder on this machine, and which server it belongs to.
public struct Profile: Sendable {
    /// What sign-in remembers, in `profile.json`.
    public struct Settings: Codable, Equatable, Sendable {
        public var server: String
        public var clientKey: String

        public init(server: String, clientKey: String) {
            self.server = server
            self.clientKey = clientKey
        }

        /// A server on this machine, as `chatter-server` starts without flags.
        public static let first = Settings(server: "http://127.0.0.1:8080", clientKey: "ck_demo")
    }

    public let name: ProfileName
    public let directory: URL
    public let settings: Settings
    /// It lies where profiles do unless told.
    public let isAtHome: Bool

    public var isStandard: Bool { name.argument == ProfileName.standard.argument }

    /// What the command line says wins over what sign-in remembered, and that over the first settings.
    ///
    /// - Parameter values: Of a command that takes `ProfileOptions.all`.
    public init(_ values: Values, environment: [String: String]) throws(ProfileError) {
        name = values[ProfileOptions.profile]
        let home = Self.home(values[ProfileOptions.home], environment: environment)
        isAtHome = Self.path(home) == Self.path(Self.home(nil, environment: environment))
        directory = home.appendingPathComponent(name.argument, isDirectory: true)
        let remembered = try Self.remembered(in: directory) ?? .first
        settings = Settings(
            server: values[ProfileOptions.server]?.argument ?? remembered.server,
            clientKey: values[ProfileOptions.clientKey] ?? remembered.clientKey)
    }

    public var server: ServerURL {
        get throws(ProfileError) {
            guard let server = ServerURL(argument: settings.server) else {
                throw .noServer(file: Self.file(in: directory))
            }
            return server
        }
    }

    /// - Parameters:
    ///   - deviceName: Shown in the account's list of devices; cut to what the server takes.
    ///   - platform: `cli`, `linux`.
    public func configuration(deviceName: String, platform: String) throws(ProfileError)
        -> ClientConfiguration
    {
        ClientConfiguration(
            serverURL: try server.url, clientKey: settings.clientKey, directory: directory,
            device: DeviceDescription(name: String(deviceName.prefix(64)), platform: platform))
    }

    /// The folder is the owner's alone.
    public func makeDirectory() throws(ProfileError) {
        do {
            try FileManager.default.createDirectory(
                at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .noFolder(directory)
        }
    }

    /// Called at sign-in.
    public func remember() throws(ProfileError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            try encoder.encode(settings).write(to: Self.file(in: directory), options: .atomic)
        } catch {
            throw .unwritable(directory)
        }
    }

    private static func path(_ folder: URL) -> String {
        folder.resolvingSymlinksInPath().standardizedFileURL.path
    }

    /// Where the profiles' folders lie.
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

    private static func remembered(in directory: URL) throws(ProfileError) -> Settings? {
        let file = file(in: directory)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        do {
            return try JSONDecoder().decode(Settings.self, from: Data(contentsOf: file))
        } catch {
            throw .unreadable(file: file)
        }
    }
}
