import ChatterClient
import ChatterModel
import ChatterTestSupport
import Foundation
import Testing

@testable import ChatterViewModels

@Suite("Messages become rows")
@MainActor
struct RowBuilderTests {
    private let me = ID<User>("me")
    private let peer = ID<User>("peer")
    /// 2026-01-01T00:00:00Z by the tests' clock.
    private let clock = ManualClock()

    private func item(
        _ number: Int64, mine: Bool = false, minutes: Int64, status: DeliveryStatus? = nil,
        deleted: Bool = false
    ) -> MessageItem {
        MessageItem(
            id: .init(senderID: mine ? me : peer, clientMessageID: ClientMessageID(UUID())),
            conversationID: ID("chat"), messageID: nil, seq: number, sender: nil, isMine: mine, type: .text,
            body: deleted ? "" : "text \(number)",
            createdAt: clock.now.advanced(by: .seconds(minutes * 60)), isDeleted: deleted, status: status)
    }

    private func rows(_ items: [MessageItem], firstUnread: MessageItem.Key? = nil) -> [ConversationRow] {
        let content = ConversationContent(
            id: ID("chat"), header: .init(title: "Bob"), items: items)
        return RowBuilder(words: words(clock), firstUnread: firstUnread).rows(content)
    }

    private func kinds(_ rows: [ConversationRow]) -> [String] {
        rows.map { row in
            switch row.content {
            case .day(let text): "day \(text)"
            case .unread: "new"
            case .message(let bubble): bubble.text
            }
        }
    }

    @Test("Each local day has a header, named as people say it")
    func days() {
        let rows = rows([item(1, minutes: -2 * 1440), item(2, minutes: -1), item(3, minutes: 5)])
        #expect(
            kinds(rows) == ["day Tuesday", "text 1", "day Yesterday", "text 2", "day Today", "text 3"])
    }

    @Test("The line “New” stands above the first unread message and parts its group")
    func unread() {
        let items = [item(1, minutes: 1), item(2, minutes: 2), item(3, minutes: 3)]
        let rows = rows(items, firstUnread: items[1].id)
        #expect(kinds(rows) == ["day Today", "text 1", "new", "text 2", "text 3"])
        #expect(groups(rows) == [[true, true], [true, false], [false, true]])
    }

    private func groups(_ rows: [ConversationRow]) -> [[Bool]] {
        rows.compactMap { row in
            guard case .message(let bubble) = row.content else { return nil }
            return [bubble.isFirstOfGroup, bubble.isLastOfGroup]
        }
    }

    @Test("Neighbours of one sender within minutes stand together")
    func grouping() {
        let rows = rows([
            item(1, minutes: 1), item(2, minutes: 2), item(3, mine: true, minutes: 3, status: .sent),
            item(4, mine: true, minutes: 20, status: .sent),
        ])
        #expect(groups(rows) == [[true, false], [false, true], [true, true], [true, true]])
    }

    // Field case 121
    @Test(
        "A screen reader hears sender, text, time and status",
        arguments: [
            (DeliveryStatus.pending, "sending"), (.sent, "sent"), (.delivered, "delivered"), (.read, "read"),
            (.failed(FailureReason(code: "NOT_FRIENDS")), "not sent, You are not friends."),
        ])
    func spoken(status: DeliveryStatus, words: String) {
        let rows = rows([item(1, mine: true, minutes: 63, status: status)])
        #expect(rows.last?.spoken == "You: text 1, 01:03, \(words)")
    }

    // Field case 121
    @Test("A screen reader hears others' messages, deleted ones and headers as what they are")
    func spokenOthers() {
        let rows = rows([
            item(1, minutes: 63), item(2, minutes: 64, deleted: true),
            item(3, mine: true, minutes: 65, status: .read, deleted: true),
        ])
        #expect(
            rows.map(\.spoken) == [
                "Today", "Bob: text 1, 01:03", "Bob: This message was deleted, 01:04",
                "You: You deleted this message, 01:05",
            ])
    }

    @Test("A kind of message that this version does not know says so")
    func unknownType() {
        var unknown = item(1, minutes: 1)
        unknown.type = MessageType(rawValue: "hologram")
        #expect(kinds(rows([unknown])) == ["day Today", "Not supported by this version"])
    }

    @Test("A deleted message says so, has no tick and cannot be copied")
    func deleted() throws {
        let rows = rows([
            item(1, mine: true, minutes: 1, status: .read, deleted: true), item(2, minutes: 2, deleted: true),
        ])
        #expect(kinds(rows).suffix(2) == ["You deleted this message", "This message was deleted"])
        guard case .message(let bubble) = rows[1].content else { throw Scenario.Failure("no bubble") }
        #expect(bubble.tick == nil && !bubble.canCopy)
    }

    @Test("Ids are unique, also when clocks went back a day")
    func ids() {
        let rows = rows([item(1, minutes: 1), item(2, minutes: -1440), item(3, minutes: 2)])
        #expect(Set(rows.map(\.id)).count == rows.count)
    }
}
