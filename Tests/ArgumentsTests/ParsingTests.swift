import Arguments
import Testing

@Suite("Parsing a command line")
struct ParsingTests {
    @Test("Without words the topmost command runs with its defaults")
    func defaults() throws {
        let (action, values) = try #require(try MailTool.run([]))
        #expect(action == .serve)
        #expect(values[MailTool.port] == 25)
        #expect(values[MailTool.home] == "mail")
        #expect(values[MailTool.json] == false)
        #expect(values.command == "mail")
    }

    @Test(
        "An option takes its value in every spelling",
        arguments: [["--port", "8080"], ["--port=8080"], ["-p", "8080"], ["-p8080"], ["-jp8080"]])
    func spellings(arguments: [String]) throws {
        let (_, values) = try #require(try MailTool.run(arguments))
        #expect(values[MailTool.port] == 8080)
    }

    @Test("Options may stand before, between and after the arguments")
    func order() throws {
        let arguments = ["--json", "send", "--copy", "bo", "ada", "-c", "cy", "hello", "there", "--wait=2m"]
        let (action, values) = try #require(try MailTool.run(arguments))
        #expect(action == .send)
        #expect(values.command == "mail send")
        #expect(values[MailTool.json])
        #expect(values[MailTool.copies] == ["bo", "cy"])
        #expect(values[MailTool.name] == "ada")
        #expect(values[MailTool.words] == ["hello", "there"])
        #expect(values[MailTool.wait] == .seconds(120))
    }

    @Test("A shared option is known on both sides of the command's name, at any depth")
    func shared() throws {
        for arguments in [
            ["--home", "x", "box", "list"], ["box", "--home", "x", "list"], ["box", "list", "--home=x"],
        ] {
            let (action, values) = try #require(try MailTool.run(arguments))
            #expect(action == .list)
            #expect(values[MailTool.home] == "x")
        }
    }

    @Test("After -- nothing is a flag; a lone dash is an argument")
    func dashes() throws {
        let (_, values) = try #require(try MailTool.run(["send", "-", "--", "--json", "-p"]))
        #expect(values[MailTool.name] == "-")
        #expect(values[MailTool.words] == ["--json", "-p"])
        #expect(values[MailTool.json] == false)
    }

    @Test("Empty text is a value like any other")
    func emptyText() throws {
        let (_, values) = try #require(try MailTool.run(["send", "ada", "", "--copy="]))
        #expect(values[MailTool.words] == [""])
        #expect(values[MailTool.copies] == [""])
    }

    @Test("Given twice, the last value counts, unless the option repeats")
    func twice() throws {
        let (_, values) = try #require(try MailTool.run(["-p1", "-p2"]))
        #expect(values[MailTool.port] == 2)
    }

    @Test("An optional argument may be missing")
    func optionalArgument() throws {
        let (_, without) = try #require(try MailTool.run(["box", "list"]))
        #expect(without[MailTool.box] == nil)
        let (_, with) = try #require(try MailTool.run(["box", "list", "in", "--order", "OLDEST"]))
        #expect(with[MailTool.box] == "in")
        #expect(with[MailTool.order] == .oldest)
    }

    @Test(
        "The command line wins over the variable, the variable over the default, an empty one counts as unset"
    )
    func environment() throws {
        let variables = ["MAIL_PORT": "99", "MAIL_JSON": "yes", "MAIL_HOME": ""]
        let (_, values) = try #require(try MailTool.run([], variables))
        #expect(values[MailTool.port] == 99)
        #expect(values[MailTool.json])
        #expect(values[MailTool.home] == "mail")
        let (_, given) = try #require(try MailTool.run(["--port=1"], variables))
        #expect(given[MailTool.port] == 1)
    }

    @Test(
        "Lengths of time are read with their unit and shown as typed",
        arguments: [
            ("10", Duration.seconds(10), "10s"), ("1.5s", .milliseconds(1500), "1500ms"),
            ("500ms", .milliseconds(500), "500ms"), ("5m", .seconds(300), "5m"),
            ("48h", .seconds(172_800), "2d"),
            ("0", .zero, "0ms"),
        ])
    func durations(text: String, duration: Duration, shown: String) {
        #expect(Duration(argument: text) == duration)
        #expect(duration.argument == shown)
    }

    @Test(
        "What is no length of time is refused",
        arguments: ["", "s", "-1s", "1 s", "1w", "1e400s", "99999999999999d"])
    func badDurations(text: String) {
        #expect(Duration(argument: text) == nil)
    }
}
