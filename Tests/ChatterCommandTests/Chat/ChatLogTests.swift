import ChatterClient
import ChatterModel
import Testing

@testable import chatter

@Suite("A chat as lines")
struct ChatLogTests {
    private var log = ChatLog()

    private mutating func lines(_ content: ConversationContent) -> [String] {
        log.events(content).map { $0.text(utc) }
    }

    @Test("At first only unread messages of others are told, then each new one once")
    mutating func arriving() {
        let old = message(1, "old")
        let unread = message(2, "unread")
        #expect(lines(content([old, unread], readSeq: 1)) == ["#2  14:15  Bob: unread"])
        #expect(lines(content([old, unread])) == [])
        #expect(lines(content([old, unread, message(3, "new")])) == ["#3  14:16  Bob: new"])
    }

    @Test("One's own message is told when written, and each tick after that")
    mutating func ticks() {
        _ = log.events(content([]))
        #expect(lines(content([message(1, "hi", .pending, seq: .some(nil))])) == ["    14:14  me: hi  🕓"])
        #expect(lines(content([message(1, "hi", .sent)])) == ["-- #1 ✓ sent"])
        #expect(lines(content([message(1, "hi", .delivered)])) == ["-- #1 ✓✓ delivered"])
        #expect(lines(content([message(1, "hi", .read)])) == ["-- #1 ☑ read"])
        #expect(lines(content([message(1, "hi", .read)])) == [])
    }

    @Test("A failure says why, a deletion that it happened")
    mutating func failures() {
        _ = log.events(content([message(1, "hi", .pending, seq: .some(nil)), message(2, "ho")]))
        let failed = message(1, "hi", .failed(FailureReason(code: "NOT_FRIENDS")), seq: .some(nil))
        #expect(lines(content([failed, message(2, "ho")])) == ["-- ⚠ failed You are not friends."])
        #expect(lines(content([failed, message(2, "", isDeleted: true)])) == ["-- #2 was deleted"])
    }

    @Test("Typing and presence are told when they change")
    mutating func people() {
        #expect(lines(content([], presence: presence(online: true))) == ["-- Bob is online"])
        #expect(lines(content([], presence: presence(online: true), typing: true)) == ["-- Bob is typing…"])
        #expect(lines(content([], presence: presence(online: true))) == ["-- Bob stopped typing"])
        #expect(lines(content([], presence: presence(online: false))) == ["-- Bob is offline"])
    }
}
