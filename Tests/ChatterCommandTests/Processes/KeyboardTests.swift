import ChatterTestSupport
import Foundation
import Testing

@Suite("Keys typed before anybody is on screen", .serialized, .timeLimit(.minutes(5)))
struct KeyboardTests {
    private struct Chats: Decodable {
        struct Chat: Decodable {
            var title: String
            var draft: String?
        }

        var items: [Chat]
    }

    private struct History: Decodable {
        struct Message: Decodable {
            var body: String
        }

        var items: [Message]
    }

    private let town: Neighbourhood

    init() async throws {
        town = try await Neighbourhood()
        for step in try await town.makeFriends() { #expect(step.status == 0, "\(step.errors)") }
        #expect(try await town.run("alice", "friend", "add", "echo").status == 0)
        #expect(try await town.run("alice", "send", "echo", "first").status == 0)
    }

    private func bodies(_ chat: String) async throws -> [String] {
        try await town.run("alice", "history", chat, "--json").json(History.self).items.map(\.body)
    }

    @Test(
        "What is typed before the screen opens is written there, and Enter sends it",
        arguments: ["start", "chat"])
    func beforeTheScreen(command: String) async throws {
        let screen = try town.onTerminal("alice", command == "chat" ? ["chat", "echo"] : ["start"])
        screen.press("typed ahead\r")
        #expect(await screen.shows("Write a message"))
        screen.press("\u{3}")
        #expect(await screen.end().status == 0)
        #expect(try await bodies("echo").contains("typed ahead"))
    }

    @Test("What is typed while another chat opens is for that one")
    func whileOpening() async throws {
        let screen = try town.onTerminal("alice", ["chat", "bob"])
        #expect(await screen.shows("Write a message"))
        screen.press("/chat echo\rfor echo\r/quit\r")
        #expect(await screen.end().status == 0)
        #expect(try await bodies("echo").contains("for echo"))
        #expect(try await bodies("bob") == [])
    }

    @Test(
        "A text that the full disk has no room for stays in the line, and Enter sends it once there is room",
        .enabled(if: SmallDisk.isAvailable, "only who may mount has a small disk"))
    func fullDisk() async throws {
        let disk = try SmallDisk(kilobytes: 8192)
        let home = disk.url.appendingPathComponent("home")
        try FileManager.default.copyItem(at: town.directory.file("home"), to: home)
        let screen = try town.onTerminal(
            "alice", ["chat", "bob"], columns: 120, environment: ["CHATTER_HOME": home.path])
        #expect(await screen.shows("Write a message"))
        try disk.fill()
        // More than what may be left of pages that the database has already.
        let text = String(repeating: "precious ", count: 400) + "end"
        screen.press(text + "\r")
        #expect(await screen.shows("disk is full"))
        try disk.empty()
        screen.press("\r")
        #expect(await screen.shows("✓"))
        screen.press("\u{3}")
        #expect(await screen.end().status == 0)
        let history = try await town.run("bob", "history", "alice", "--json").json(History.self)
        #expect(history.items.map(\.body) == [text])
    }

    @Test("When it does not open, the line typed for it stays unsent")
    func notOpened() async throws {
        let screen = try town.onTerminal("alice", ["chat", "bob"])
        #expect(await screen.shows("Write a message"))
        screen.press("/chat carol\rfor carol\rand more\r")
        // Of the notice that says where to look for her.
        #expect(await screen.shows("find"))
        screen.press("\u{3}")
        #expect(await screen.end().status == 0)
        #expect(try await bodies("bob") == [])
        let chats = try await town.run("alice", "chats", "--json").json(Chats.self).items
        #expect(chats.first { $0.title == "Bob" }?.draft == "for carol")
    }
}
