import ChatterTestSupport
import Testing

@Suite("Results that can't be written", .serialized, .timeLimit(.minutes(5)))
struct OutputFailureTests {
    @Test("On a full disk each command says so in one line and exits with 1")
    func fullDisk() async throws {
        let town = try await Neighbourhood()
        for step in try await town.makeFriends() { #expect(step.status == 0, "\(step.errors)") }
        #expect(try await town.run("alice", "send", "bob", "hi").status == 0)
        let commands = [
            "--help", "--version", "history bob", "chats", "friend list", "find bo", "status", "watch",
            "send bob ho",
            "chat bob",
        ]
        for command in commands {
            let run = try await town.shell("alice", "chatter \(command) > /dev/full")
            #expect(run.status == 1, "\(command)")
            #expect(
                run.errors == "chatter: Standard output can't be written: No space left on device.\n",
                "\(command)")
        }
        for command in ["history bob", "chats", "watch", "chat bob"] {
            let run = try await town.shell("alice", "chatter \(command) --json > /dev/full")
            #expect(run.status == 1, "\(command)")
            #expect(
                run.errors == """
                    {"error":{"code":"OUTPUT","message":"Standard output can't be written: No space left on device."}}

                    """)
        }
    }

    @Test("A standard output that is closed is not mistaken for another file")
    func closed() async throws {
        let town = try await Neighbourhood()
        #expect(try await town.signUp("alice", phone: "+6591234567").status == 0)
        let run = try await town.shell("alice", "chatter chats >&-")
        #expect(run.status == 1)
        #expect(run.errors == "chatter: Standard output can't be written: Bad file descriptor.\n")
        #expect(try await town.run("alice", "chats").status == 0)
    }

    @Test("A reader that goes away ends it silently, by the signal that ends other programs")
    func closedPipe() async throws {
        let town = try await Neighbourhood()
        #expect(try await town.signUp("alice", phone: "+6591234567").status == 0)
        // Writes until the reader is gone: only then it is chatter's turn.
        let run = try await town.shell(
            "alice",
            """
            ( trap '' PIPE; while echo x; do :; done 2>/dev/null; chatter profile; echo $? >&2 ) | true
            """)
        #expect(run.errors == "141\n")
    }
}
