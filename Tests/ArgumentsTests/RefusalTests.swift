import Arguments
import Testing

@Suite("A command line that cannot be run")
struct RefusalTests {
    @Test(
        "One line names what is wrong and says what to do",
        arguments: [
            (["--prot", "1"], "mail: there is no flag '--prot'. Did you mean --port? See 'mail --help'."),
            (
                ["send", "-x"],
                "mail send: there is no flag '-x'. Put -- before text that starts with a dash. See 'mail send --help'."
            ),
            (["sned"], "mail: there is no command 'sned'. Did you mean send? See 'mail --help'."),
            (["paint"], "mail: there is no command 'paint'. See 'mail --help'."),
            (["box"], "mail box: say which command: list, read. See 'mail box --help'."),
            (["--port"], "mail: --port needs a value: --port=PORT."),
            (["--port", "--json"], "mail: --port needs a value: --port=PORT."),
            (["--port", "x"], "mail: --port needs a whole number from 0 to 65535, not 'x'."),
            (["--port=70000"], "mail: --port needs a whole number from 0 to 65535, not '70000'."),
            (["--json=1"], "mail: --json takes no value: write --json alone."),
            (["send", "ada"], "mail send: TEXT is missing. Usage: mail send [options] NAME TEXT…"),
            (
                ["box", "read", "x"],
                "mail box read: 'x' is one argument too many. See 'mail box read --help'."
            ),
            (["--port=1", "send"], "mail: --port does not go with 'send'. See 'mail send --help'."),
            (
                ["box", "list", "--order", "any"],
                "mail box list: --order needs one of newest, oldest, not 'any'."
            ),
        ])
    func oneLine(arguments: [String], line: String) {
        #expect(MailTool.refusal(arguments) == line)
    }

    @Test("A bad variable is named, and only when its value would count")
    func variable() throws {
        #expect(
            MailTool.refusal([], ["MAIL_PORT": "x"])
                == "mail: the variable MAIL_PORT needs a whole number from 0 to 65535, not 'x'.")
        #expect(MailTool.refusal(["--port=1"], ["MAIL_PORT": "x"]) == nil)
        #expect(
            MailTool.refusal([], ["MAIL_JSON": "maybe"])
                == "mail: the variable MAIL_JSON needs 1 or 0, not 'maybe'.")
    }

    @Test("What was typed cannot break the line or the terminal")
    func controls() {
        let long = String(repeating: "a", count: 100)
        #expect(
            MailTool.refusal(["--port", "1\n\u{1B}[2J"])
                == "mail: --port needs a whole number from 0 to 65535, not '1??[2J'.")
        #expect(MailTool.refusal([long])?.contains(long) == false)
    }

    @Test("Misuse has the exit code of sysexits.h")
    func exitCode() {
        #expect(UsageError.exitCode == 64)
    }
}
