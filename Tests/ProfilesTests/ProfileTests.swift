import Arguments
import Foundation
import Testing

@testable import Profiles

@Suite("Profiles")
struct ProfileTests {
    private let home = FileManager.default.temporaryDirectory.appendingPathComponent(
        "chatter-\(UUID().uuidString)")

    private func profile(_ arguments: String..., environment: [String: String] = [:]) throws -> Profile {
        let program = Command("program", "Takes a profile.", shared: ProfileOptions.all, action: true)
        let invocation = try program.parse(["--home", home.path] + arguments, environment: environment)
        guard case .run(_, let values) = invocation else {
            throw UsageError(command: "program", message: "nothing to run")
        }
        return try Profile(values, environment: environment)
    }

    @Test("A new profile talks to this machine's server; sign-in remembers another; the command line wins")
    func settings() throws {
        defer { try? FileManager.default.removeItem(at: home) }
        let fresh = try profile()
        #expect(fresh.settings == .init(server: "http://127.0.0.1:8080", clientKey: "ck_demo"))
        let chosen = try profile("--server", "https://chat.example.org", "--client-key", "ck_x")
        try chosen.makeDirectory()
        try chosen.remember()
        #expect(try profile().settings == .init(server: "https://chat.example.org", clientKey: "ck_x"))
        #expect(try profile("--server", "http://[::1]:1").settings.server == "http://[::1]:1")
        #expect(try profile("-p", "other").settings == fresh.settings)
    }

    @Test("A profile where profiles lie is told from one elsewhere, by the place and not by the flag")
    func whereItLies() throws {
        let there = ["XDG_DATA_HOME": home.deletingLastPathComponent().path]
        #expect(try !profile(environment: there).isAtHome)
        #expect(
            try profile(
                "--home", home.deletingLastPathComponent().appendingPathComponent("x/../chatter").path,
                environment: there
            ).isAtHome)
        #expect(try profile().isStandard && !profile("-p", "other").isStandard)
    }

    @Test("The folder is the owner's alone")
    func permissions() throws {
        defer { try? FileManager.default.removeItem(at: home) }
        let profile = try profile()
        try profile.makeDirectory()
        let attributes = try FileManager.default.attributesOfItem(atPath: profile.directory.path)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
    }

    @Test("A broken profile.json is told, not replaced")
    func broken() throws {
        defer { try? FileManager.default.removeItem(at: home) }
        try profile().makeDirectory()
        let file = home.appendingPathComponent("default/profile.json")
        try Data("{".utf8).write(to: file)
        #expect(throws: ProfileError.unreadable(file: file)) { try profile() }
        #expect(try Data(contentsOf: file) == Data("{".utf8))
    }

    @Test("A server that is no address is told with the file that names it")
    func noServer() throws {
        defer { try? FileManager.default.removeItem(at: home) }
        try profile().makeDirectory()
        let file = home.appendingPathComponent("default/profile.json")
        try Data(#"{"server": "nowhere", "clientKey": "ck_x"}"#.utf8).write(to: file)
        let profile = try profile()
        #expect(throws: ProfileError.noServer(file: file)) { try profile.server }
        #expect(throws: ProfileError.noServer(file: file)) {
            try profile.configuration(deviceName: "x", platform: "cli")
        }
    }

    @Test("A folder that cannot be made or written is told")
    func noFolder() throws {
        defer { try? FileManager.default.removeItem(at: home) }
        try Data().write(to: home)
        let profile = try profile()
        #expect(throws: ProfileError.noFolder(profile.directory)) { try profile.makeDirectory() }
        #expect(throws: ProfileError.unwritable(profile.directory)) { try profile.remember() }
    }

    @Test("A device goes by a name that the server takes, and lies in its profile's folder")
    func configuration() throws {
        let configuration = try profile("--client-key", "ck_x").configuration(
            deviceName: String(repeating: "long", count: 30), platform: "linux")
        #expect(configuration.device.name.count == 64)
        #expect(configuration.device.platform == "linux")
        #expect(configuration.clientKey == "ck_x")
        #expect(configuration.serverURL.absoluteString == "http://127.0.0.1:8080")
        #expect(configuration.directory.path == home.appendingPathComponent("default").path)
    }

    @Test("Profiles lie where XDG says, else below the home directory")
    func homes() {
        #expect(Profile.home("/x", environment: ["XDG_DATA_HOME": "/y"]).path == "/x")
        #expect(Profile.home(nil, environment: ["XDG_DATA_HOME": "/y"]).path == "/y/chatter")
        #expect(Profile.home(nil, environment: ["HOME": "/h"]).path == "/h/.local/share/chatter")
        #expect(
            Profile.home(nil, environment: ["XDG_DATA_HOME": "relative"]).path.hasSuffix(
                "/.local/share/chatter"))
    }

    @Test("A profile's name cannot leave its folder", arguments: ["..", ".", "a/b", "", ".x", "a b", "ä"])
    func profileNames(name: String) {
        #expect(ProfileName(argument: name) == nil)
    }

    @Test(
        "A server's address needs a scheme and a host",
        arguments: ["", "chat.example.org", "ftp://x", "http://"])
    func serverAddresses(text: String) {
        #expect(ServerURL(argument: text) == nil)
    }

    @Test("Addresses of this machine are known as such")
    func localServers() {
        #expect(ServerURL(argument: "http://127.0.0.1:8080")?.isLocal == true)
        #expect(ServerURL(argument: "http://localhost")?.isLocal == true)
        #expect(ServerURL(argument: "https://127.0.0.1.example.org")?.isLocal == false)
    }
}
