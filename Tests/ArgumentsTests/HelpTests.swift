import Arguments
import Testing

@Suite("Help")
struct HelpTests {
    @Test("A program's help lists its commands by group and its options with defaults")
    func program() throws {
        let text = try MailTool.text("--help")
        #expect(
            text == """
                Sends letters.

                Usage: mail [options] [COMMAND]

                Commands:
                  send  Send a letter.

                Keeping:
                  box  Look after boxes.

                Options:
                  -p, --port PORT  Where to listen. (default: 25; or $MAIL_PORT)
                      --home DIR   Where letters lie. (default: mail; or $MAIL_HOME)
                  -j, --json       Print JSON. (or $MAIL_JSON)
                  -h, --help       Show this help.
                      --version    Show the version.

                """)
    }

    @Test("A command's help has usage, description, arguments, options and examples")
    func command() throws {
        let text = try MailTool.text("send", "ada", "-h")
        #expect(
            text == """
                Send a letter.

                Usage: mail send [options] NAME TEXT…

                It goes by the next coach.

                Or by ship.

                Arguments:
                  NAME   Who gets the letter.
                  TEXT…  What it says.

                Options:
                      --wait TIME  How long to wait for an answer.
                  -c, --copy NAME  Who else gets it. (may be repeated)
                  -h, --help       Show this help.

                Options of every command:
                      --home DIR  Where letters lie. (default: mail; or $MAIL_HOME)
                  -j, --json      Print JSON. (or $MAIL_JSON)

                Examples:
                  Greet Ada
                    mail send ada hello

                """)
    }

    @Test("help before a command reads as --help after it")
    func helpCommand() throws {
        #expect(try MailTool.text("help", "box", "list") == MailTool.text("box", "list", "--help"))
        #expect(try MailTool.text("help") == MailTool.text("--help"))
        #expect(MailTool.refusal(["help", "nowhere"])?.contains("no command 'nowhere'") == true)
    }

    @Test("The version is the topmost command's")
    func version() throws {
        #expect(try MailTool.text("--version") == "mail 1.2\n")
        #expect(MailTool.refusal(["send", "--version"]) != nil)
    }

    @Test("No line is wider than 80 columns and long names get a line of their own")
    func width() throws {
        let long = Option<String?>(
            "a-very-long-name-for-an-option", "SOMETHING-LONG",
            String(repeating: "Words that need to be wrapped somewhere sensible. ", count: 4))
        let tool = Command<Int>("tool", "Does it.", parameters: [long], action: 1)
        guard case .print(let text) = try tool.parse(["-h"]) else {
            Issue.record("no help")
            return
        }
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(text.contains("--a-very-long-name-for-an-option SOMETHING-LONG\n"))
    }
}
