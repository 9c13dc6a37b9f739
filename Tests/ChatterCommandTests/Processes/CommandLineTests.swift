import ChatterTestSupport
import Foundation
import Testing

@Suite("The command line against a server, as processes", .serialized, .timeLimit(.minutes(2)))
struct CommandLineTests {
    private struct List<Item: Decodable>: Decodable {
        var items: [Item]
    }

    private struct Message: Decodable, Equatable {
        var body: String
        var seq: Int?
        var isMine: Bool
        var isDeleted: Bool
        var status: String?
    }

    private struct Chat: Decodable {
        var title: String
        var unreadCount: Int
        var isMuted: Bool
        var isPinned: Bool
    }

    private struct Sent: Decodable {
        var status: String
        var seq: Int?
        var reason: String?
    }

    private struct Status: Decodable {
        var connection: String
        var queued: [String: Int]
        var failed: Int
    }

    @Test("Two people sign up, become friends and chat; ticks, settings and deletions are told")
    func chatting() async throws {
        let town = try await Neighbourhood()
        for step in try await town.makeFriends() { #expect(step.status == 0, "\(step.errors)") }
        let found = try await town.run("alice", "find", "bo")
        #expect(found.lines == ["Bob (@bob)  friend"])

        let sent = try await town.run("alice", "send", "bob", "Hello", "Bob")
        #expect(sent.lines == ["✓ sent (#1)"])
        let second = try await town.run("alice", "--json", "send", "@bob", "and again").json(Sent.self)
        #expect(second.status == "sent" && second.seq == 2)

        let chats = try await town.run("bob", "chats", "--json").json(List<Chat>.self).items
        #expect(chats.map(\.title) == ["Alice"] && chats.map(\.unreadCount) == [2])
        let delivered = try await town.run("alice", "history", "bob", "--json").json(List<Message>.self).items
        #expect(delivered.map(\.status) == ["delivered", "delivered"])
        let read = try await town.run("bob", "history", "alice", "--mark-read", "--json")
        #expect(try read.json(List<Message>.self).items.map(\.body) == ["Hello Bob", "and again"])
        let after = try await town.run("alice", "history", "bob", "-n", "1", "--json").json(
            List<Message>.self
        ).items
        #expect(after == [Message(body: "and again", seq: 2, isMine: true, isDeleted: false, status: "read")])

        #expect(try await town.run("alice", "delete", "bob", "1", "--everyone").status == 0)
        let left = try await town.run("bob", "history", "alice", "--json").json(List<Message>.self).items
        #expect(left.map(\.isDeleted) == [true, false] && left[0].body.isEmpty)

        for command in ["mute", "pin"] { #expect(try await town.run("bob", command, "alice").status == 0) }
        let set = try await town.run("bob", "chats", "--json").json(List<Chat>.self).items
        #expect(set.map(\.isMuted) == [true] && set.map(\.isPinned) == [true])
        #expect(try await town.run("bob", "archive", "alice").status == 0)
        #expect(try await town.run("bob", "chats", "--json").json(List<Chat>.self).items.isEmpty)
    }

    @Test("A refusal has its exit code and its words, and stays in the outbox until given up")
    func refusals() async throws {
        let town = try await Neighbourhood()
        for step in try await town.makeFriends() { #expect(step.status == 0, "\(step.errors)") }
        #expect(try await town.run("alice", "send", "bob", "before").status == 0)
        #expect(try await town.run("bob", "block", "alice").status == 0)
        #expect(try await town.run("bob", "blocked").output.hasPrefix("Alice (@alice)"))
        let blocked = try await town.run("bob", "--json", "send", "alice", "hi")
        #expect(blocked.status == 2)
        #expect(try blocked.json(Sent.self).reason == "BLOCKED")
        #expect(blocked.errors.contains(#""code":"BLOCKED""#))
        #expect(try await town.run("bob", "status", "--json").json(Status.self).failed == 1)
        let listed = try await town.run("bob", "outbox").output
        #expect(listed.contains("failed: You have blocked them."))
        let id = try #require(listed.split(separator: " ").first)
        #expect(try await town.run("bob", "outbox", "discard", String(id)).status == 0)
        #expect(try await town.run("bob", "outbox").lines == ["Everything has reached the server."])

        #expect(try await town.run("bob", "report", "alice", "--reason", "spam").status == 0)
        let nobody = try await town.run("bob", "send", "nobody", "hi")
        #expect(nobody.status == 1 && nobody.errors.contains("nobody called “nobody”"))
        #expect(try await town.run("bob", "send", "@bob", "hi").errors.contains("That is you"))
        #expect(try await town.run("bob", "send", "alice").status == 64)
        #expect(try await town.run("carol", "chats").status == 4)
        let wrongCode = try await town.run("carol", "login", "--phone", "+6591234569", "--code", "1")
        #expect(wrongCode.status == 2 && wrongCode.errors == "chatter: That code is not right.\n")
        #expect(try await town.run("bob", "--home", "/proc/nowhere", "chats").status == 73)
    }

    @Test("Without the server a message is queued; the next command that connects sends it")
    func offline() async throws {
        let town = try await Neighbourhood()
        for step in try await town.makeFriends() { #expect(step.status == 0, "\(step.errors)") }
        #expect(try await town.run("alice", "send", "bob", "one").status == 0)
        await town.stopServer()
        let queued = try await town.run("alice", "send", "bob", "two", "--timeout", "200ms")
        #expect(queued.status == 3 && queued.errors.contains("queued"))
        let here = try await town.run("alice", "history", "bob", "--json").json(List<Message>.self).items
        #expect(here.map(\.status) == ["sent", "pending"])
        #expect(try await town.run("alice", "find", "bob", "--timeout", "200ms").status == 69)

        let server = try await town.startAgain()
        defer { server.kill() }
        #expect(try await town.run("alice", "outbox").lines == ["Everything has reached the server."])
        let there = try await town.run("bob", "history", "alice", "--json").json(List<Message>.self).items
        #expect(there.map(\.body) == ["one", "two"] && there.map(\.seq) == [1, 2])
    }

    @Test("Lists line up whatever the names are written in, in every locale")
    func columns() async throws {
        let town = try await Neighbourhood()
        for step in try await town.makeFriends() { #expect(step.status == 0, "\(step.errors)") }
        let carol = try await town.run(
            "carol", "login", "--phone", "+6591234569", "--code", "000000", "--name", "李小龙 🐉", "--username",
            "bobby")
        #expect(carol.status == 0, "\(carol.errors)")
        for locale in ["", "C", "xx_YY"] {
            let lines = try await town.shell("alice", "LC_ALL=\(locale) chatter find bo").lines
            #expect(lines == ["Bob (@bob)          friend", "李小龙 🐉 (@bobby)  not a friend yet"])
        }
    }

    @Test("A second process on one profile is told which one has it")
    func profileInUse() async throws {
        let town = try await Neighbourhood()
        #expect(try await town.signUp("alice", phone: "+6591234567").status == 0)
        let watching = try town.start("alice", ["watch", "--json"])
        defer { watching.kill() }
        // Its first line comes after it has taken the profile.
        _ = await watching.lines.first { _ in true }
        let second = try await town.run("alice", "chats")
        #expect(second.status == 75)
        #expect(second.errors.contains("process \(watching.pid)"))
    }

    @Test("watch tells messages and requests as they come, one JSON object a line")
    func watching() async throws {
        struct Event: Decodable {
            var event: String
            var message: Message?
            var connection: String?
        }
        let town = try await Neighbourhood()
        for step in try await town.makeFriends() { #expect(step.status == 0, "\(step.errors)") }
        let watching = try town.start("bob", ["watch", "--json"])
        defer { watching.kill() }
        var events = watching.lines.map { try JSONDecoder().decode(Event.self, from: Data($0.utf8)) }
            .makeAsyncIterator()
        while let event = try await events.next(), event.connection != "online" {}
        #expect(try await town.run("alice", "send", "bob", "news").status == 0)
        while let event = try await events.next() {
            guard let message = event.message else { continue }
            #expect(message.body == "news" && !message.isMine)
            break
        }
        #expect(try await town.run("alice", "friend", "remove", "bob").status == 0)
        while let event = try await events.next(), event.event != "friendRemoved" {}
    }

    @Test("start signs up from lines of input and talks to the echo bot")
    func start() async throws {
        let town = try await Neighbourhood()
        let program = try town.start("carol", ["start"])
        for line in ["", "", "Carol", "", "hello there"] { program.write(line: line) }
        for await line in program.lines where line.hasSuffix("Echo: hello there") { break }
        program.write(line: "/quit")
        #expect(await program.exit() == 0)
        #expect(
            try await town.run("carol", "profile").lines.prefix(2) == [
                "Name       Carol", "Username   @carol",
            ])
    }

    @Test(
        "The full screen shows what is new, sends what is typed, follows the window and gives the terminal back"
    )
    func fullScreen() async throws {
        let town = try await Neighbourhood()
        for step in try await town.makeFriends() { #expect(step.status == 0, "\(step.errors)") }
        #expect(try await town.run("bob", "send", "alice", "see you").status == 0)
        let screen = try town.onTerminal("alice", ["chat", "bob"])
        #expect(await screen.shows("see you"))
        screen.press("on screen 👍🏽\r")
        #expect(await screen.shows("✓"))
        screen.resize(columns: 40, rows: 15)
        // Drawn anew, so the header comes again.
        #expect(await screen.shows("Bob"))
        screen.press("/quit\r")
        let (status, drawn) = await screen.end()
        #expect(status == 0)
        // Out of the alternate screen.
        #expect(drawn.contains("\u{1B}[?1049l"))
        let history = try await town.run("alice", "history", "bob", "--json").json(List<Message>.self).items
        #expect(history.map(\.body) == ["see you", "on screen 👍🏽"])
        let bobs = try await town.run("bob", "history", "alice", "--json").json(List<Message>.self).items
        #expect(bobs.map(\.status) == ["read", nil])
    }

    @Test("Terminated from outside, the full screen keeps the draft and gives the terminal back")
    func terminated() async throws {
        let town = try await Neighbourhood()
        for step in try await town.makeFriends() { #expect(step.status == 0, "\(step.errors)") }
        let first = try town.onTerminal("alice", ["chat", "bob"])
        #expect(await first.shows("Write a message"))
        first.press("half a thought")
        #expect(await first.shows("thought"))
        first.terminate()
        let (status, drawn) = await first.end()
        #expect(status == 0 && drawn.contains("\u{1B}[?1049l"))
        let second = try town.onTerminal("alice", ["chat", "bob"])
        #expect(await second.shows("half a thought"))
        second.press("\u{3}")
        #expect(await second.end().status == 0)
    }

    @Test("Deleting an account needs a clear word, then leaves nothing here")
    func deleteAccount() async throws {
        let town = try await Neighbourhood()
        for step in try await town.makeFriends() { #expect(step.status == 0, "\(step.errors)") }
        #expect(try await town.run("alice", "delete-account").status == 1)
        #expect(try await town.run("alice", "delete-account", "--yes").status == 0)
        #expect(try await town.run("alice", "chats").status == 4)
        #expect(try await town.run("bob", "friend", "list", "--json").json(List<Chat>.self).items.isEmpty)
    }
}
