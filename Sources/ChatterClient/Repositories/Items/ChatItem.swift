import ChatterModel

/// A row of the chats list.
public struct ChatItem: Hashable, Sendable, Identifiable {
    public var id: ChatterModel.ID<Conversation>
    public var type: Conversation.Kind
    /// The peer's display name, or the group's title.
    public var title: String
    public var avatarURL: String?
    /// The other person of a direct chat.
    public var peer: User?
    /// The newest visible message, pending ones included.
    public var preview: MessageItem?
    /// An unsent text, nil when there is none.
    public var draft: String?
    public var unreadCount: Int
    /// Silent until then; compare with the server's time.
    public var mutedUntil: Timestamp?
    public var isMuted: Bool
    public var isArchived: Bool
    public var isPinned: Bool
    public var lastActivityAt: Timestamp
    /// Who is typing now.
    public var typing: Set<ChatterModel.ID<User>>

    public init(
        id: ChatterModel.ID<Conversation>, type: Conversation.Kind, title: String, avatarURL: String? = nil,
        peer: User? = nil, preview: MessageItem? = nil, draft: String? = nil, unreadCount: Int = 0,
        mutedUntil: Timestamp? = nil, isMuted: Bool = false, isArchived: Bool = false,
        isPinned: Bool = false, lastActivityAt: Timestamp, typing: Set<ChatterModel.ID<User>> = []
    ) {
        self.id = id
        self.type = type
        self.title = title
        self.avatarURL = avatarURL
        self.peer = peer
        self.preview = preview
        self.draft = draft
        self.unreadCount = unreadCount
        self.mutedUntil = mutedUntil
        self.isMuted = isMuted
        self.isArchived = isArchived
        self.isPinned = isPinned
        self.lastActivityAt = lastActivityAt
        self.typing = typing
    }
}
