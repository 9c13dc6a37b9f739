import ChatterClient
import ChatterModel
import Testing

@testable import chatter

@Suite("Working a chat")
struct ChatScreenTests {
    private let size = Frame.Size(columns: 40, rows: 10)
    private var screen = ChatScreen()

    init() {
        TextWidth.prepare()
        screen.connection = .online
    }

    private mutating func press(_ keys: Key...) -> [ChatScreen.Action] {
        keys.flatMap { screen.handle($0, size: size, time: utc) }
    }

    /// The bodies in sight.
    private var visible: [String] {
        ChatPicture.frame(screen, size, utc).lines.compactMap { line in
            line.first { $0.text.hasPrefix("m") }?.text
        }
    }

    private func bodies(_ numbers: ClosedRange<Int64>) -> [String] { numbers.map { "m\($0)" } }

    private mutating func show(_ numbers: ClosedRange<Int64>, hasOlder: Bool = false) {
        screen.show(content(numbers.map { message($0, "m\($0)") }, hasOlder: hasOlder))
    }

    @Test("Typing tells the other side and keeps a draft; Enter sends, which clears the draft")
    mutating func typing() {
        #expect(press(.text("h")) == [.typing(true), .draft("h")])
        #expect(press(.text("i")) == [.typing(true), .draft("hi")])
        #expect(press(.left) == [])
        #expect(press(.enter) == [.command(.send("hi")), .typing(false)])
        #expect(screen.editor.text.isEmpty)
        #expect(press(.enter) == [])
        #expect(press(.text(" "), .enter).contains { if case .command = $0 { true } else { false } } == false)
    }

    @Test(
        "A text that could not be stored stands in the line again, with the reason, and as a draft",
        arguments: ["hi", "/hi", "two\nlines"])
    mutating func notSent(text: String) {
        screen.editor = LineEditor(text.hasPrefix("/") ? "/" + text : text)
        #expect(press(.enter) == [.command(.send(text)), .typing(false)])
        let again = screen.notSent(text, "This device is full.")
        #expect(again == [.draft(screen.editor.text)])
        #expect(screen.notice == .init(text: "This device is full.", isError: true))
        #expect(press(.enter) == [.command(.send(text)), .typing(false)])
    }

    @Test("What was typed since stands below a text that could not be stored")
    mutating func notSentWhileTyping() {
        screen.editor = LineEditor("next")
        #expect(screen.notSent("first", "No.") == [.draft("first\nnext")])
    }

    @Test("A command being typed is not shown to the other side as typing")
    mutating func typingCommand() {
        #expect(press(.text("/")) == [.typing(false), .draft("/")])
        #expect(press(.text("/")) == [.typing(true), .draft("//")])
    }

    @Test("A command that does not exist stays in the line, with a notice")
    mutating func unknownCommand() {
        screen.editor = LineEditor("/dance")
        #expect(press(.enter) == [])
        #expect(screen.notice?.text == "There is no /dance; /help lists what there is.")
        #expect(screen.editor.text == "/dance")
        _ = press(.backspace)
        #expect(screen.notice == nil)
    }

    @Test("Ctrl-C leaves; Ctrl-D leaves only with an empty line")
    mutating func leaving() {
        #expect(press(.interrupt) == [.command(.quit)])
        screen.editor = LineEditor("x")
        #expect(press(.endOfInput) == [])
        #expect(press(.backspace).contains(.draft("")))
        #expect(press(.endOfInput) == [.command(.quit)])
    }

    @Test("Help covers the messages until the next key")
    mutating func help() {
        show(1...3)
        screen.editor = LineEditor("/help")
        _ = press(.enter)
        #expect(ChatPicture.frame(screen, size, utc).text.contains("/quit"))
        _ = press(.escape)
        #expect(visible == bodies(1...3))
    }

    @Test("New messages follow at the bottom, but hold still while older ones are read")
    mutating func scrolling() {
        show(1...30)
        #expect(visible == bodies(24...30))
        #expect(press(.pageUp) == [])
        #expect(visible == bodies(18...24))
        show(1...31)
        #expect(visible == bodies(18...24))
        #expect(press(.pageDown, .pageDown) == [])
        #expect(visible == bodies(25...31))
        show(1...32)
        #expect(visible == bodies(26...32))
        #expect(press(.up, .up) == [])
        #expect(visible == bodies(24...30))
    }

    @Test("A long chat can be paged through from end to end, each message once")
    mutating func paging() {
        let all = (1...500).map { message($0, "m\($0)") }
        screen.show(content(all))
        var seen = visible
        while !ChatPicture.frame(screen, size, utc).text.contains("The beginning") {
            let before = visible
            #expect(press(.pageUp) == [])
            // One line stays in sight, so that the eye can follow.
            #expect(visible.last == before.first || visible.first == "m1")
            seen = visible.filter { !seen.contains($0) } + seen
        }
        #expect(seen == bodies(1...500))
        for _ in 0..<100 { _ = press(.pageDown) }
        #expect(screen.anchor == nil)
        #expect(visible == bodies(494...500))
    }

    @Test("The top asks for older messages once, and they appear above without moving what is read")
    mutating func older() {
        show(21...30, hasOlder: true)
        #expect(press(.pageUp) == [.loadOlder])
        #expect(visible == bodies(21...25))
        #expect(press(.pageUp, .up) == [])
        show(11...30, hasOlder: true)
        #expect(visible == bodies(19...25))
        #expect(press(.pageUp) == [])
        #expect(visible == bodies(13...19))
    }

    @Test("When older messages cannot be had it says so and can be asked again")
    mutating func olderFails() {
        show(21...30, hasOlder: true)
        #expect(press(.pageUp) == [.loadOlder])
        screen.olderFailed("no connection")
        #expect(screen.notice?.text == "no connection")
        #expect(press(.pageUp) == [.loadOlder])
    }

    @Test("Sending goes back to the newest message")
    mutating func sendFollows() {
        show(1...30)
        _ = press(.pageUp, .text("x"))
        #expect(screen.anchor != nil)
        _ = press(.enter)
        #expect(screen.anchor == nil)
        #expect(visible == bodies(24...30))
    }

    @Test("The line above what is new stays where it was when the chat was opened")
    mutating func unreadDivider() {
        let items = (1...4).map { message($0, "m\($0)") }
        screen.show(content(items, readSeq: 2))
        #expect(screen.firstUnread == items[2].id)
        screen.show(content(items + [message(5, "m5")], readSeq: 5))
        #expect(screen.firstUnread == items[2].id)
    }

    // Field case 39
    @Test("The line stands above the first message of others that is new, and goes once it was answered")
    mutating func dividerAndOwn() {
        let deleted = message(2, "", isDeleted: true)
        let items = [
            message(1, "m1"), deleted, message(3, "m3", .sent), message(4, "m4"), message(5, "m5", .sent),
        ]
        screen.show(content(items, readSeq: 1))
        #expect(screen.firstUnread == items[3].id)
        _ = press(.text("x"))
        #expect(screen.firstUnread == items[3].id)
        _ = press(.enter)
        #expect(screen.firstUnread == nil)
        screen.show(content(items + [message(6, "m6")], readSeq: 1))
        #expect(screen.firstUnread == nil)
    }

    @Test("The newest messages are in sight unless the person has scrolled up or something covers them")
    mutating func inSight() {
        #expect(!screen.showsNewest)
        show(1...30)
        #expect(screen.showsNewest)
        _ = press(.pageUp)
        #expect(!screen.showsNewest)
        _ = press(.pageDown)
        #expect(screen.showsNewest)
        screen.panel = "help"
        #expect(!screen.showsNewest)
        _ = press(.escape)
        #expect(screen.showsNewest)
    }
}
