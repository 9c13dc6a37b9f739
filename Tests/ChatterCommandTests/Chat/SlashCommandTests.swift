import Testing

@testable import chatter

@Suite("What a typed line means")
struct SlashCommandTests {
    @Test(
        "Each command is read with its name",
        arguments: [
            ("hello", SlashCommand.send("hello")), (" /help", .send(" /help")), ("//etc", .send("/etc")),
            ("/help", .help), ("/quit", .quit), ("/q", .quit), ("/chats", .chats), ("/retry", .retry),
            ("/discard", .discard), ("/delete", .delete(everyone: true)),
            ("/delete me", .delete(everyone: false)),
            ("/chat bob", .open("bob")), ("/chat  Bob Smith ", .open("Bob Smith")),
            ("/add @eve", .add("@eve")),
            ("/accept eve", .accept("eve")), ("/decline eve", .decline("eve")), ("/add", .nameless("/add")),
            ("/dance", .unknown("/dance")),
        ])
    func reading(line: String, command: SlashCommand) {
        #expect(SlashCommand(line) == command)
    }
}
