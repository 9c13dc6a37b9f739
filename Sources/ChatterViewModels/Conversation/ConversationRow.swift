import ChatterClient
import ChatterModel

/// One row of a conversation: a day's header, the line above what is new, or a message.
nonisolated public struct ConversationRow: Identifiable, Hashable, Sendable {
    public enum ID: Hashable, Sendable {
        /// A header has no name of its own: clocks go wrong, and one day can stand in two places.
        case day(above: MessageItem.Key)
        case unread
        case message(MessageItem.Key)
    }

    public enum Content: Hashable, Sendable {
        case day(String)
        case unread(String)
        case message(Bubble)
    }

    public var id: ID
    public var content: Content

    /// What a screen reader says.
    public var spoken: String {
        switch content {
        case .day(let text), .unread(let text): text
        case .message(let bubble): bubble.spoken
        }
    }
}

/// A message as it is drawn.
nonisolated public struct Bubble: Hashable, Sendable {
    public var key: MessageItem.Key
    public var isMine: Bool
    public var text: String
    public var isDeleted: Bool
    public var time: String
    /// nil on messages by others.
    public var tick: Tick?
    /// Why it was not sent.
    public var failure: String?
    /// Neighbours of one sender stand together: only the first keeps its distance, only the last has a tail.
    public var isFirstOfGroup: Bool
    public var isLastOfGroup: Bool
    public var spoken: String
    /// `text` is the beginning only: “Read more” shows the rest.
    public var isShortened = false
    /// One's own, for as long as the server takes it back.
    public var canDeleteForEveryone = false
    /// Somebody else's, and not deleted.
    public var canReport = false

    public var canRetry: Bool { failure != nil }
    public var canCopy: Bool { !isDeleted }
}
