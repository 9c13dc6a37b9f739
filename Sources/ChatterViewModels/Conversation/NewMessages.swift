import ChatterClient
import ChatterModel

/// What is new in an open conversation: since it was opened or last looked at, and below what is in sight.
nonisolated struct NewMessages {
    /// Among these stand the messages that were new when the chat was opened, or when the person came back to it; nil
    /// when none was, or all are answered.
    private var unread: SeqRange?
    /// The newest message when the end went out of sight.
    private var end: Int64?
    private(set) var isAtEnd = true
    /// The newest message that was seen before the person turned away; nil while they look.
    private var seen: Int64?

    /// At the first look: reading moves the watermark that tells what is new.
    mutating func opened(_ content: ConversationContent) {
        guard content.firstUnread != nil else { return }
        unread = SeqRange(from: content.readSeq + 1, to: content.newest)
    }

    /// The person turned to something else, with the chat open.
    mutating func left(_ content: ConversationContent?) {
        if seen == nil { seen = end ?? content?.newest ?? 0 }
    }

    /// The person looks again: what came meanwhile is new, unless they read it on another device.
    ///
    /// - Returns: whether anything is.
    mutating func returned(to content: ConversationContent?) -> Bool {
        defer { self.seen = nil }
        guard let content, let seen else { return false }
        let range = SeqRange(from: max(seen, content.readSeq) + 1, to: content.newest)
        guard content.items.contains(where: { Self.isNew($0, in: range) }) else { return false }
        unread = range
        return true
    }

    private static func isNew(_ item: MessageItem, in range: SeqRange) -> Bool {
        guard let seq = item.seq else { return false }
        return !item.isMine && !item.isDeleted && range.from <= seq && seq <= range.to
    }

    /// Whoever answers is done with what was new.
    mutating func answered() { unread = nil }

    mutating func scrolled(toEnd isAtEnd: Bool, in content: ConversationContent?) {
        self.isAtEnd = isAtEnd
        end = isAtEnd ? nil : content?.newest
    }

    /// How many came in below what is in sight. Counted from where the end was left: one's own message may be
    /// acknowledged before others' that came before it are here.
    mutating func below(_ content: ConversationContent) -> Int {
        guard !isAtEnd else { return 0 }
        let end = end ?? content.newest
        self.end = end
        return content.items.count { !$0.isMine && !$0.isDeleted && ($0.seq ?? 0) > end }
    }

    /// The line “New” goes above it. Found anew each time: older pages bring older ones, and the first can be deleted.
    func first(in content: ConversationContent) -> MessageItem.Key? {
        guard let unread else { return nil }
        return content.items.first { Self.isNew($0, in: unread) }?.id
    }

    /// Whether the first of what was new can still be in an older page.
    func reachesBeyond(_ content: ConversationContent) -> Bool {
        guard let unread, content.hasOlder else { return false }
        return content.items.first { $0.seq != nil }?.seq ?? 0 > unread.from
    }
}

nonisolated extension ConversationContent {
    fileprivate var newest: Int64 { items.last { $0.seq != nil }?.seq ?? 0 }
}
