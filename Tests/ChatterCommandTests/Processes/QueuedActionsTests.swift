import ChatterTestSupport
import Foundation
import Testing

@Suite("What is done while the server is away", .serialized, .timeLimit(.minutes(2)))
struct QueuedActionsTests {
    @Test("A request to somebody known is queued; a report and a stranger's name are not, and it is said")
    func people() async throws {
        let town = try await Neighbourhood()
        for step in try await town.makeFriends() { #expect(step.status == 0, "\(step.errors)") }
        #expect(try await town.run("alice", "send", "bob", "known from here on").status == 0)
        #expect(try await town.run("alice", "friend", "remove", "bob").status == 0)
        await town.stopServer()
        let asked = try await town.run("alice", "friend", "add", "bob", "--timeout", "200ms")
        #expect(asked.status == 3 && asked.errors.contains("It is queued"))
        #expect(try await town.run("alice", "outbox").output.contains("friend.request"))

        let report = try await town.run("alice", "report", "bob", "--timeout", "200ms")
        #expect(report.status == 69)
        #expect(report.errors == "chatter: The server can't be reached, so the report was not sent.\n")
        #expect(try await town.run("alice", "friend", "add", "carol", "--timeout", "200ms").status == 69)
        #expect(try await town.run("alice", "send", "carol", "hi", "--timeout", "200ms").status == 69)
        let login = try await town.run("dora", "login", "--phone", "+6591234560", "--code", "1")
        #expect(login.status == 69 && login.errors == "chatter: The server can't be reached.\n")
    }

    @Test("Signing out asks about everything that would be lost, not only about messages")
    func logout() async throws {
        let town = try await Neighbourhood()
        for step in try await town.makeFriends() { #expect(step.status == 0, "\(step.errors)") }
        await town.stopServer()
        #expect(try await town.run("alice", "block", "bob", "--timeout", "200ms").status == 3)
        let asked = try await town.run("alice", "logout", "--timeout", "200ms")
        #expect(asked.status == 1 && asked.errors.contains("1 change not sent yet would be lost"))
        #expect(try await town.run("alice", "outbox").output.contains("block.add"))
        #expect(try await town.run("alice", "logout", "--yes", "--timeout", "200ms").status == 0)
        #expect(try await town.run("alice", "chats").status == 4)
    }
}
