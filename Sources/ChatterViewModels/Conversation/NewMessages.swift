import ChatterClient
import ChatterModel

/// What is new in an open conversation: since it was opened, and below what is in sight.
nonisolated struct NewMessages {
    /// Among these stand the messages that were new when the chat was opened; nil when none was, or all are answered.
    private var unread: SeqRange?
    /// The newest message when the end went out of sight.
    private var end: Int64?
    private(set) var isAtEnd = true

    /// At the first look: reading moves the watermark that tells what is new.
    mutating func opened(_ content: ConversationContent) {
        guard content.firstUnread != nil else { return }
        unread = SeqRange(from: content.readSeq + 1, to: content.newest)
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
        return content.items.first { !$0.isMine && !$0.isDeleted && unread.contains($0.seq ?? 0) }?.id
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
