import ChatterClient
import ChatterModel
import Testing

@testable import chatter

@Suite("The picture of a chat")
struct ChatPictureTests {
    init() { TextWidth.prepare() }

    private func picture(
        _ content: ConversationContent?, _ columns: Int = 40, _ rows: Int = 8,
        change: (inout ChatScreen) -> Void = { _ in }
    ) -> Frame {
        var screen = ChatScreen()
        screen.connection = .online
        if let content { screen.show(content) }
        change(&screen)
        return ChatPicture.frame(screen, .init(columns: columns, rows: rows), utc)
    }

    @Test("Own messages stand on the right with their ticks, others on the left, days and news divided")
    func conversation() {
        let yesterday = moment.advanced(by: .seconds(-86_400))
        let items = [
            message(1, "Hello there", at: yesterday), message(2, "Hi Bob", .read),
            message(3, "How are you today?", .delivered), message(4, "Did you get this?", .sent),
            message(5, "Good, and you?"), message(6, "On my way", .pending, seq: .some(nil)),
        ]
        let frame = picture(content(items, presence: presence(online: true), readSeq: 4), 40, 15)
        #expect(
            frame.text == """
                 Bob (@bob) · online


                 ───── The beginning of this chat ─────
                    ────────── Yesterday ──────────
                 Hello there  15:53
                      ────────── Today ──────────
                                       Hi Bob  14:15 ✓✓
                           How are you today?  14:16 ✓✓
                             Did you get this?  14:17 ✓
                       ────────── New ──────────
                 Good, and you?  14:18
                                    On my way  14:19 🕓
                ────────────────────────────────────────
                > Write a message, or /help
                """)
    }

    @Test("Without colours another shape tells read from delivered, as wide or narrower")
    func withoutColours() {
        let items = [message(1, "Hi Bob", .read), message(2, "How are you?", .delivered)]
        var screen = ChatScreen(hasColours: false)
        screen.show(content(items))
        let text = ChatPicture.frame(screen, .init(columns: 40, rows: 10), utc).text
        #expect(text.contains("Hi Bob  14:14 ☑\n") && text.contains("How are you?  14:15 ✓✓\n"))
        #expect(TextWidth.columns(of: Ticks.mark(.read)) == 1)
        #expect(PlainMessage.line(items[0], time: utc) == "#1  14:14  me: Hi Bob  ☑")
    }

    @Test("A long message wraps, and a failed one says why and what can be done")
    func longAndFailed() {
        let items = [
            message(1, "The quick brown fox jumps over the lazy dog, twice: it is that kind of a day"),
            message(
                2, "Short\nbut of two lines", .failed(FailureReason(code: "NOT_FRIENDS")), seq: .some(nil)),
        ]
        let frame = picture(content(items, composer: .notFriends), 40, 14)
        #expect(
            frame.text == """
                 Bob (@bob)
                 You are not friends. /add asks again.

                 ───── The beginning of this chat ─────
                      ────────── Today ──────────
                 The quick brown fox jumps
                 over the lazy dog, twice: it
                 is that kind of a day  14:14
                            Short
                            but of two lines  14:15 ⚠
                            You are not friends. /retry
                            or /discard
                ────────────────────────────────────────
                > Write a message, or /help
                """)
        let styles = frame.lines.flatMap(\.self)
        #expect(styles.contains(Frame.Span(" ⚠", .error)))
    }

    @Test("Without a connection nobody is shown online, and what is written is said to be queued")
    func offline() {
        let frame = picture(content([message(1, "Hi")], presence: presence(online: true)), 60, 6) {
            $0.connection = .offline(.failed("refused"), retryAt: moment)
        }
        #expect(
            frame.text == """
                 Bob (@bob)
                 Offline: what you write is sent later.
                                ────────── Today ──────────
                 Hi  14:14
                ────────────────────────────────────────────────────────────
                > Write a message, or /help
                """)
    }

    @Test("The header tells typing before presence, and last seen with its day")
    func header() {
        let seen = presence(online: false, lastSeenAt: moment.advanced(by: .seconds(-3600)))
        #expect(
            picture(content([], presence: seen)).text.hasPrefix(" Bob (@bob) · last seen today at 14:53\n"))
        let narrow = picture(content([], presence: seen), 35)
        #expect(narrow.text.hasPrefix(" Bob · last seen today at 14:53\n"))
        let typing = picture(content([], presence: seen, typing: true))
        #expect(typing.text.hasPrefix(" Bob (@bob) · typing…\n"))
        let elsewhere = picture(content([])) { $0.unreadElsewhere = 3 }
        #expect(elsewhere.text.hasPrefix(" Bob (@bob)             3 new elsewhere\n"))
    }

    @Test("Deleted messages, kinds of a later version and missing ones have their words")
    func placeholders() {
        let items = [
            message(1, "x", isDeleted: true), message(2, "x", .read, isDeleted: true),
            message(3, "x", type: MessageType(rawValue: "poll")), message(6, "later"),
        ]
        let frame = picture(content(items, hasOlder: true, holes: [SeqRange(from: 4, to: 5)]), 48, 10)
        #expect(
            frame.text == """
                 Bob (@bob)
                          ────────── Today ──────────
                 This message was deleted  14:14
                                You deleted this message  14:15
                 Not supported by this version
                                         14:16
                 ──────── fetching 2 missing messages ────────
                 later  14:19
                ────────────────────────────────────────────────
                > Write a message, or /help
                """)
    }

    @Test("Somebody else's text cannot leave its place")
    func hostileText() {
        let frame = picture(content([message(1, "a\u{1B}[2Jb\u{202E}c\td\r\u{7}")]), 40, 6)
        #expect(frame.text.contains("a\u{FFFD}[2Jbc    d\u{FFFD}"))
        #expect(!frame.text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" || $0 == "\u{7}" })
    }

    @Test("A request to be friends shows how to answer it")
    func request() {
        let frame = picture(content([]), 60, 6) {
            $0.requests = [RequestItem(user: bob, direction: .incoming, createdAt: moment, isQueued: false)]
        }
        #expect(frame.text.contains("\n Bob (@bob) wants to be your friend: /accept bob\n"))
    }

    @Test("In a narrow window what can be done is still there to read")
    func narrow() {
        let frame = picture(content([message(1, "Hi")]), 40, 10) {
            $0.requests = [RequestItem(user: bob, direction: .incoming, createdAt: moment, isQueued: false)]
            $0.notice = .init(text: "There is no /dance; /help lists what there is.")
        }
        #expect(
            frame.text == """
                 Bob (@bob)
                 Bob (@bob) wants to be your friend:
                 /accept bob

                 ───── The beginning of this chat ─────
                      ────────── Today ──────────
                 Hi  14:14
                 There is no /dance; /help lists what
                 there is.
                > Write a message, or /help
                """)
    }

    @Test("Whatever its size, a frame fills the window and never leaves it")
    func sizes() {
        let items = (1...30).map { message($0, "Message number \($0) 漢字 👍🏽", $0 % 2 == 0 ? .read : nil) }
        for (columns, rows) in [(1, 1), (5, 3), (10, 5), (20, 10), (40, 15), (80, 24), (200, 60)] {
            let frame = picture(content(items), columns, rows) {
                $0.connection = .connecting
                $0.editor = LineEditor("writing something rather long, longer than a narrow window")
            }
            #expect(frame.lines.count == rows)
            #expect(frame.cursorRow == rows - 1)
            if columns >= 20 {
                #expect(frame.lines.allSatisfy { TextWidth.columns(of: $0.map(\.text).joined()) <= columns })
                #expect(frame.cursorColumn < columns)
            }
        }
    }

    @Test("The line being written slides so that the cursor stays in sight")
    func slidingInput() throws {
        let text = "0123456789abcdefghijklmnopqrstuvwxyz"
        let atEnd = picture(content([]), 20, 6) { $0.editor = LineEditor(text) }
        #expect(atEnd.text.hasSuffix("\n> jklmnopqrstuvwxyz"))
        #expect(atEnd.cursorColumn == 19)
        let atStart = picture(content([]), 20, 6) {
            $0.editor = LineEditor(text)
            $0.editor.moveToStart()
        }
        #expect(atStart.text.hasSuffix("\n> 0123456789abcdefg"))
        #expect(atStart.cursorColumn == 2)
        let twoLines = picture(content([]), 20, 6) { $0.editor = LineEditor("a\nb") }
        #expect(twoLines.text.hasSuffix("\n> a⏎b"))
    }
}
