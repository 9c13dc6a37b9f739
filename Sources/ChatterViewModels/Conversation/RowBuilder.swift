import ChatterClient
import ChatterModel
import Foundation

/// Turns messages into rows.
nonisolated struct RowBuilder {
    var words: TimeWords
    /// The first message that was new when the conversation was opened; it stays where it is while one reads.
    var firstUnread: MessageItem.Key?
    /// Long messages that are shown as a whole.
    var expanded: Set<MessageItem.Key> = []

    func rows(_ content: ConversationContent) -> [ConversationRow] {
        let items = content.items
        let calendar = words.calendar
        var rows: [ConversationRow] = []
        rows.reserveCapacity(items.count + 8)
        var day: Range<Timestamp>?
        for (index, item) in items.enumerated() {
            if day?.contains(item.createdAt) != true {
                day = Self.day(of: item.createdAt, calendar)
                rows.append(
                    ConversationRow(id: .day(above: item.id), content: .day(words.day(item.createdAt))))
            }
            if item.id == firstUnread { rows.append(ConversationRow(id: .unread, content: .unread("New"))) }
            let bubble = bubble(
                item, name: content.header.title, follows: index == 0 ? nil : items[index - 1],
                precedes: index + 1 < items.count ? items[index + 1] : nil, within: day)
            rows.append(ConversationRow(id: .message(item.id), content: .message(bubble)))
        }
        return rows
    }

    private static func day(of time: Timestamp, _ calendar: Calendar) -> Range<Timestamp>? {
        calendar.dateInterval(of: .day, for: time.date).map { Timestamp($0.start)..<Timestamp($0.end) }
    }

    /// What stands in the bubble.
    static func text(of item: MessageItem) -> String {
        guard item.isDeleted else {
            return item.type == .text || item.type == .system ? item.body : "Not supported by this version"
        }
        return item.isMine ? "You deleted this message" : "This message was deleted"
    }

    private func bubble(
        _ item: MessageItem, name: String, follows before: MessageItem?, precedes next: MessageItem?,
        within day: Range<Timestamp>?
    ) -> Bubble {
        let isDeleted = item.isDeleted
        let whole = Self.text(of: item)
        let beginning = expanded.contains(item.id) ? nil : Shortening.beginning(of: whole)
        let text = beginning ?? whole
        let time = words.time(item.createdAt)
        let tick = isDeleted ? nil : item.status.map(Tick.init)
        var failure: String?
        if case .failed(let reason) = item.status { failure = RefusalLabel.text(reason) }
        let sender = item.isMine ? "You" : item.sender.map { PersonLabel.name(of: $0) } ?? name
        let spoken = ["\(sender): \(text)", time, tick?.spoken, failure].compactMap { $0 }.joined(
            separator: ", ")
        return Bubble(
            key: item.id, isMine: item.isMine, text: text, isDeleted: isDeleted, time: time, tick: tick,
            failure: failure,
            isFirstOfGroup: !isTogether(before, item, within: day) || item.id == firstUnread,
            isLastOfGroup: !isTogether(next, item, within: day) || next?.id == firstUnread, spoken: spoken,
            isShortened: beginning != nil, canDeleteForEveryone: canDeleteForEveryone(item),
            canReport: !item.isMine && !isDeleted && item.messageID != nil)
    }

    /// The server takes a message back within two days.
    private func canDeleteForEveryone(_ item: MessageItem) -> Bool {
        guard item.isMine, !item.isDeleted, let status = item.status else { return false }
        if case .failed = status { return false }
        return item.createdAt.duration(to: words.now) < .seconds(48 * 3600)
    }

    /// Of one sender, on one day, within minutes.
    private func isTogether(_ other: MessageItem?, _ item: MessageItem, within day: Range<Timestamp>?) -> Bool
    {
        guard let other, other.id.senderID == item.id.senderID, day?.contains(other.createdAt) == true
        else { return false }
        return abs(other.createdAt.milliseconds - item.createdAt.milliseconds) < 5 * 60_000
    }
}
