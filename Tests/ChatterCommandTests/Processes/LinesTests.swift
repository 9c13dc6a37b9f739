import ChatterTestSupport
import Foundation
import Testing

@Suite("A chat in a pipe", .serialized, .timeLimit(.minutes(2)))
struct LinesTests {
    private struct Event: Decodable {
        struct Problem: Decodable {
            var code: String
            var message: String
        }

        var event: String
        var line: Int?
        var error: Problem?
    }

    private struct History: Decodable {
        struct Message: Decodable, Equatable {
            var body: String
            var status: String?
        }

        var items: [Message]
    }

    private let town: Neighbourhood

    init() async throws {
        town = try await Neighbourhood()
        for step in try await town.makeFriends() { #expect(step.status == 0, "\(step.errors)") }
    }

    private func refusals(_ run: Neighbourhood.Run) throws -> [Event] {
        try run.lines.map { try JSONDecoder().decode(Event.self, from: Data($0.utf8)) }
            .filter { $0.event == "refused" }
    }

    private func history() async throws -> [History.Message] {
        try await town.run("alice", "history", "bob", "--json").json(History.self).items
    }

    @Test("A message that the server refuses is told, and stays until somebody gives it up")
    func refusedByTheServer() async throws {
        #expect(try await town.run("alice", "send", "bob", "before").status == 0)
        #expect(try await town.run("alice", "block", "bob").status == 0)
        let run = try await town.shell("alice", "echo 'NOT LOST' | chatter chat bob --json")
        #expect(run.status == 2)
        #expect(run.errors.contains(#""code":"BLOCKED""#))
        #expect(
            try await history() == [
                .init(body: "before", status: "sent"), .init(body: "NOT LOST", status: "failed"),
            ])
        #expect(try await town.run("alice", "outbox").output.contains("failed: You have blocked them."))
    }

    @Test("A line that breaks the rules is told with its number, keeps none back and decides the exit code")
    func refusedHere() async throws {
        let input = "(echo one; head -c 5000 /dev/zero | tr '\\0' x; echo; echo; echo /etc/hosts; echo two)"
        let run = try await town.shell("alice", "\(input) | chatter chat bob --json")
        #expect(run.status == 2)
        let refusals = try refusals(run)
        #expect(refusals.map(\.line) == [2, 4])
        #expect(refusals.map(\.error?.code) == ["VALIDATION_FAILED", "UNKNOWN_COMMAND"])
        #expect(refusals.first?.error?.message.hasPrefix("A message ") == true)
        #expect(run.errors.contains("2 lines not sent"))
        #expect(try await history().map(\.body) == ["one", "two"])

        let text = try await town.shell("alice", "\(input) | chatter chat bob")
        #expect(text.status == 2)
        #expect(text.errors.contains("chatter: line 2: A message "))
        #expect(text.errors.contains("chatter: line 4: There is no /etc/hosts"))
    }
}
