import Arguments
import ChatterClient
import Profiles
import Testing

@testable import chatter

@Suite("The command line of chatter")
struct CommandTreeTests {
    private static let commands = [
        [], ["start"], ["login"], ["profile"], ["profile", "show"], ["profile", "edit"], ["logout"],
        ["delete-account"], ["devices"], ["devices", "list"], ["devices", "sign-out"], ["chat"], ["send"],
        ["history"], ["chats"], ["watch"], ["delete"], ["mute"], ["unmute"], ["archive"], ["unarchive"],
        ["pin"],
        ["unpin"], ["find"], ["friend"], ["friend", "add"], ["friend", "accept"], ["friend", "decline"],
        ["friend", "cancel"], ["friend", "remove"], ["friend", "list"], ["friend", "requests"], ["block"],
        ["unblock"], ["blocked"], ["report"], ["status"], ["outbox"], ["outbox", "list"],
        ["outbox", "retry"],
        ["outbox", "discard"],
    ]

    @Test("Each command has help of at most 80 columns", arguments: commands)
    func help(path: [String]) throws {
        guard case .print(let text) = try chatterCommand.parse(path + ["--help"]) else {
            Issue.record("\(path) has no help")
            return
        }
        #expect(text.contains("Usage: \((["chatter"] + path).joined(separator: " ")) [options]"))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test("Shared options count on both sides of a command and from the environment")
    func shared() throws {
        let environment = ["CHATTER_PROFILE": "carol", "CHATTER_SERVER": "https://chat.example.org"]
        guard
            case .run(_, let values) = try chatterCommand.parse(
                ["-p", "bob", "send", "alice", "hi", "--json"], environment: environment)
        else {
            Issue.record("nothing to run")
            return
        }
        #expect(values[ProfileOptions.profile].argument == "bob")
        #expect(values[SharedOptions.json])
        #expect(values[ProfileOptions.server]?.argument == "https://chat.example.org")
        #expect(values[SharedOptions.timeout] == .seconds(10))
        #expect(values[Positional.person] == "alice")
        #expect(values[SendCommand.text] == ["hi"])
    }

    @Test("A message is named by its number, with or without #")
    func messageNumbers() {
        #expect(MessageNumber(argument: "#12")?.seq == 12)
        #expect(MessageNumber(argument: "12")?.seq == 12)
        #expect(MessageNumber(argument: "0") == nil)
        #expect(MessageNumber(argument: "-1") == nil)
        #expect(MessageNumber(argument: "x") == nil)
    }
}
