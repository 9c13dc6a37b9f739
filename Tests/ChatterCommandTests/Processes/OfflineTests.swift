import ChatterTestSupport
import Foundation
import Testing

/// A time limit instead of a stopwatch: who waits for such a server waits for the hour in `--timeout`.
@Suite("A server that takes connections and says nothing", .serialized, .timeLimit(.minutes(5)))
struct OfflineTests {
    private struct Answer: Decodable {
        var offline: Bool?
    }

    private let town: Neighbourhood
    private let mute: (descriptor: Int32, port: UInt16)

    init() async throws {
        town = try await Neighbourhood()
        for step in try await town.makeFriends() { #expect(step.status == 0, "\(step.errors)") }
        #expect(try await town.run("bob", "send", "alice", "see you").status == 0)
        #expect(try await town.run("alice", "chats", "--json").json(Answer.self).offline == nil)
        mute = try Socket.listening()
    }

    private func run(_ arguments: String) async throws -> Neighbourhood.Run {
        try await town.shell(
            "alice", "chatter --server http://127.0.0.1:\(mute.port) --timeout 1h \(arguments)")
    }

    @Test("What is stored is shown without it, and said to be so")
    func reading() async throws {
        defer { close(mute.descriptor) }
        for command in ["chats", "history bob", "friend list", "outbox", "profile"] {
            let run = try await run(command)
            #expect(run.status == 0 && !run.lines.isEmpty, "\(command)")
            #expect(run.errors == "Offline: this is what is stored on this machine.\n", "\(command)")
        }
        #expect(try await run("history bob").output.hasSuffix("Bob: see you"))
        #expect(try await run("status").output.contains("connecting"))
        #expect(try await run("history bob --json").json(Answer.self).offline == true)
        #expect(try await run("history carol").status == 69)
    }

    @Test("A long history is shown as far as it is stored, past the first page")
    func longHistory() async throws {
        defer { close(mute.descriptor) }
        #expect(try await town.shell("alice", "seq 101 220 | chatter send bob --stdin").status == 0)
        let run = try await run("history bob --limit 110")
        #expect(run.output.contains("me: 111") && run.output.contains("me: 220"))
    }

    @Test("The screen opens with what is stored", arguments: ["start", "chat bob"])
    func screen(command: String) async throws {
        defer { close(mute.descriptor) }
        let words = command.split(separator: " ").map(String.init)
        let screen = try town.onTerminal(
            "alice", words,
            environment: [
                "CHATTER_SERVER": "http://127.0.0.1:\(mute.port)"
            ])
        #expect(await screen.shows("see you"))
        screen.press("\u{3}")
        #expect(await screen.end().status == 0)
    }
}
