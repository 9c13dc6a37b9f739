import Arguments
import ChatterModel
import Foundation
import Testing

@testable import chatter

@Suite("Profiles")
struct ProfileTests {
    private let home = FileManager.default.temporaryDirectory.appendingPathComponent(
        "chatter-\(UUID().uuidString)")

    private func profile(_ arguments: String..., environment: [String: String] = [:]) throws -> Profile {
        let invocation = try chatterCommand.parse(
            ["--home", home.path] + arguments + ["status"], environment: environment)
        guard case .run(_, let values) = invocation else { throw Failure(.usage, "nothing to run") }
        return try Profile(CommandContext(values: values, environment: environment))
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
        #expect(throws: Failure.self) { try profile() }
        #expect(try Data(contentsOf: file) == Data("{".utf8))
    }

    @Test("A folder that cannot be made has its own exit code")
    func noFolder() throws {
        defer { try? FileManager.default.removeItem(at: home) }
        try Data().write(to: home)
        let failure = try #require(throws: Failure.self) { try profile().makeDirectory() }
        #expect(failure.exitCode == .noFolder)
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

    @Test(
        "A username is suggested from the name",
        arguments: [
            ("Alice", "alice" as String?), ("Bob Smith", "bob_smith"), ("Zoë-May", "zo_may"), ("李", nil),
            ("Al", nil),
        ])
    func usernames(name: String, username: String?) {
        #expect(SignIn.username(from: name) == username)
    }

    @Test("Suggested numbers are mobile numbers of Singapore")
    func phones() {
        for _ in 0..<100 { #expect(SuggestedPhone.random().wholeMatch(of: /\+659[0-8][0-9]{6}/) != nil) }
    }
}
