import ChatterClient
import ChatterModel
import ChatterTestSupport
import Foundation
import Testing

@testable import ChatterViewModels

@Suite("What is new in an open conversation")
struct NewMessagesTests {
    private let time = Timestamp(milliseconds: 1_780_000_000_000)

    /// `-3` is one's own message at 3, `0` one's own that waits; the read watermark stands at `read`.
    private func content(_ seqs: [Int64], read: Int64 = 0, hasOlder: Bool = false) -> ConversationContent {
        let items = seqs.map { seq in
            MessageItem(
                id: .init(senderID: ID(seq > 0 ? "peer" : "me"), clientMessageID: Self.key(abs(seq))),
                conversationID: ID("chat"), messageID: nil, seq: seq == 0 ? nil : abs(seq), sender: nil,
                isMine: seq <= 0, type: .text, body: "\(seq)", createdAt: time, status: nil)
        }
        return ConversationContent(
            id: ID("chat"), header: .init(title: "Bob"), items: items, hasOlder: hasOlder, readSeq: read)
    }

    private static func key(_ number: Int64) -> ClientMessageID {
        let digits = String(number)
        let text = "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
        return ClientMessageID(text) ?? ClientMessageID(UUID())
    }

    private func first(_ new: NewMessages, _ content: ConversationContent) -> String? {
        let key = new.first(in: content)
        return content.items.first { $0.id == key }?.body
    }

    @Test("One's own message acknowledged before others' of earlier are here hides none of them")
    func ackFirst() {
        var new = NewMessages()
        new.opened(content([1], read: 1))
        new.scrolled(toEnd: false, in: content([1], read: 1))
        #expect(new.below(content([1, 0], read: 1)) == 0)
        #expect(new.below(content([1, -4], read: 1)) == 0)
        #expect(new.below(content([1, 2, 3, -4], read: 1)) == 2)
        #expect(new.below(content([1, 2, 3, -4, 5], read: 1)) == 3)
        new.scrolled(toEnd: true, in: content([1, 2, 3, -4, 5], read: 1))
        #expect(new.below(content([1, 2, 3, -4, 5, 6], read: 1)) == 0)
    }

    @Test("Scrolled away before the first look, what is there counts as seen")
    func awayAtOnce() {
        var new = NewMessages()
        new.scrolled(toEnd: false, in: nil)
        new.opened(content([1, 2], read: 2))
        #expect(new.below(content([1, 2], read: 2)) == 0)
        #expect(new.below(content([1, 2, 3], read: 2)) == 1)
    }

    @Test("The line goes up with older pages, stays while one reads, and goes once one answers")
    func line() {
        var new = NewMessages()
        let opened = content([8, 9], read: 4, hasOlder: true)
        new.opened(opened)
        #expect(first(new, opened) == "8")
        #expect(new.reachesBeyond(opened))
        let more = content([3, 4, -5, 6, 7, 8, 9], read: 9, hasOlder: true)
        #expect(first(new, more) == "6")
        #expect(!new.reachesBeyond(more))
        #expect(first(new, content([3, 4, -5, 7, 8, 9, 10], read: 10)) == "7")
        new.answered()
        #expect(first(new, more) == nil && !new.reachesBeyond(opened))
    }

    @Test("What comes into a chat that was read is below no line")
    func nothingNew() {
        var new = NewMessages()
        new.opened(content([1, 2], read: 2))
        #expect(first(new, content([1, 2, 3], read: 2)) == nil)
    }

    @Test("What came while one looked elsewhere stands below the line, where seeing ended")
    func returned() {
        var new = NewMessages()
        new.opened(content([1, 2], read: 2))
        new.left(content([1, 2], read: 2))
        let found1 = new.returned(to: content([1, 2, 3, -4, 5], read: 2))
        #expect(found1)
        #expect(first(new, content([1, 2, 3, -4, 5, 6], read: 6)) == "3")
        // Nothing came: the line stays.
        new.left(content([1, 2, 3, -4, 5], read: 5))
        let found2 = new.returned(to: content([1, 2, 3, -4, 5, -6], read: 5))
        #expect(!found2)
        #expect(first(new, content([1, 2, 3, -4, 5, -6], read: 5)) == "3")
    }

    @Test("What was read on another device meanwhile is not new; what was below the sight before is")
    func returnedElsewhere() {
        var new = NewMessages()
        new.opened(content([1], read: 1))
        new.left(content([1], read: 1))
        let found3 = new.returned(to: content([1, 2, 3], read: 3))
        #expect(!found3)
        new.left(content([1, 2, 3], read: 3))
        let found4 = new.returned(to: content([1, 2, 3, 4, 5], read: 4))
        #expect(found4)
        #expect(first(new, content([1, 2, 3, 4, 5], read: 5)) == "5")
        new.scrolled(toEnd: false, in: content([1, 2, 3, 4, 5], read: 5))
        new.left(content([1, 2, 3, 4, 5, 6], read: 5))
        let found5 = new.returned(to: content([1, 2, 3, 4, 5, 6, 7], read: 5))
        #expect(found5)
        #expect(first(new, content([1, 2, 3, 4, 5, 6, 7], read: 7)) == "6")
    }

    @Test("A chat opened while nobody looks has its line where reading ended; leaving twice is leaving once")
    func openedAway() {
        var new = NewMessages()
        new.left(nil)
        new.opened(content([1, 2], read: 1))
        new.left(content([1, 2, 3], read: 1))
        let found6 = new.returned(to: content([1, 2, 3], read: 1))
        #expect(found6)
        #expect(first(new, content([1, 2, 3], read: 3)) == "2")
        // Back before the first look: that look says what is new.
        var early = NewMessages()
        early.left(nil)
        let found7 = early.returned(to: nil)
        #expect(!found7)
        early.opened(content([1, 2], read: 1))
        let found8 = early.returned(to: content([1, 2, 3], read: 3))
        #expect(!found8)
        #expect(first(early, content([1, 2, 3], read: 3)) == "2")
    }
}
