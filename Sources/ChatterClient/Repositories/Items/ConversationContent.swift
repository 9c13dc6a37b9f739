import ChatterModel

/// What a conversation's screen shows: its header and a window that ends at the newest message.
public struct ConversationContent: Hashable, Sendable {
    public struct Header: Hashable, Sendable {
        public var title: String
        public var avatarURL: String?
        /// The other person of a direct chat.
        public var peer: User?
        /// Of the peer; nil when it is unknown or not theirs to show.
        public var presence: Presence?
        public var typing: Set<ID<User>>
        public var composer: Composer

        public init(
            title: String, avatarURL: String? = nil, peer: User? = nil, presence: Presence? = nil,
            typing: Set<ID<User>> = [], composer: Composer = .open
        ) {
            self.title = title
            self.avatarURL = avatarURL
            self.peer = peer
            self.presence = presence
            self.typing = typing
            self.composer = composer
        }
    }

    /// Whether writing here makes sense.
    public enum Composer: Hashable, Sendable {
        case open
        case peerDeleted
        case notFriends
        case blocked
        /// This account is no longer a member.
        case gone
    }

    public var id: ID<Conversation>
    public var header: Header
    /// Ascending: confirmed ones by `seq`, then those that wait or failed.
    public var items: [MessageItem]
    /// Older messages exist, here or on the server: `loadOlder` brings them.
    public var hasOlder: Bool
    /// Messages within the window that are known to be missing and are being fetched.
    public var holes: [SeqRange]
    /// Own read watermark: what is above it and by others is new.
    public var readSeq: Int64
    public var unreadCount: Int

    public init(
        id: ID<Conversation>, header: Header, items: [MessageItem] = [], hasOlder: Bool = false,
        holes: [SeqRange] = [], readSeq: Int64 = 0, unreadCount: Int = 0
    ) {
        self.id = id
        self.header = header
        self.items = items
        self.hasOlder = hasOlder
        self.holes = holes
        self.readSeq = readSeq
        self.unreadCount = unreadCount
    }
}

extension ConversationContent {
    /// The oldest message in the window that is new to this person. A line "New" goes above it, and stays there while
    /// one reads: keep what the first look says.
    public var firstUnread: MessageItem.Key? {
        items.first { !$0.isMine && !$0.isDeleted && ($0.seq ?? 0) > readSeq }?.id
    }
}
