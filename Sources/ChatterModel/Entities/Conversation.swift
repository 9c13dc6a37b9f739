public struct Conversation: Codable, Hashable, Sendable {
    public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        case direct, group
    }

    public var id: ID<Conversation>
    public var type: Kind
    public var title: String?
    public var avatarURL: String?
    public var members: [Member]
    /// The largest `seq` given out here, 0 when there is no message yet.
    public var lastSeq: Int64
    /// The largest `change` given out here.
    public var lastChange: Int64
    /// The newest message this user can see.
    public var lastMessage: Message?
    /// Messages by others above this user's read watermark, tombstones excluded.
    public var unreadCount: Int
    public var settings: ConversationSettings
    public var createdAt: Timestamp
    /// When the newest message came, else when the conversation was made; the list's order.
    public var lastActivityAt: Timestamp
    public var version: Int64

    public init(
        id: ID<Conversation>, type: Kind, title: String? = nil, avatarURL: String? = nil, members: [Member],
        lastSeq: Int64, lastChange: Int64, lastMessage: Message?, unreadCount: Int,
        settings: ConversationSettings, createdAt: Timestamp, lastActivityAt: Timestamp, version: Int64
    ) {
        self.id = id
        self.type = type
        self.title = title
        self.avatarURL = avatarURL
        self.members = members
        self.lastSeq = lastSeq
        self.lastChange = lastChange
        self.lastMessage = lastMessage
        self.unreadCount = unreadCount
        self.settings = settings
        self.createdAt = createdAt
        self.lastActivityAt = lastActivityAt
        self.version = version
    }

    enum CodingKeys: String, CodingKey {
        case id, type, title, members, lastSeq, lastChange, lastMessage, unreadCount, settings, createdAt
        case lastActivityAt, version
        case avatarURL = "avatarUrl"
    }
}

public struct Member: Codable, Hashable, Sendable {
    public enum Role: String, Codable, Hashable, Sendable, CaseIterable {
        case member, admin
    }

    public var user: User
    public var role: Role
    /// Everything up to here has reached one of this member's devices. Only moves forward.
    public var lastDeliveredSeq: Int64
    /// Everything up to here was read by this member. Never above `lastDeliveredSeq`.
    public var lastReadSeq: Int64
    /// When `lastDeliveredSeq` came to where it is, by the server's clock; nil when that is not known.
    public var deliveredAt: Timestamp?
    /// When `lastReadSeq` came to where it is.
    public var readAt: Timestamp?
    /// The member sees, and counts for, messages above this.
    public var joinedSeq: Int64
    /// Messages that never reach this member whatever the watermarks say (sent while blocked); ascending, disjoint.
    public var undelivered: [SeqRange]

    public init(
        user: User, role: Role = .member, lastDeliveredSeq: Int64 = 0, lastReadSeq: Int64 = 0,
        deliveredAt: Timestamp? = nil, readAt: Timestamp? = nil, joinedSeq: Int64 = 0,
        undelivered: [SeqRange] = []
    ) {
        self.user = user
        self.role = role
        self.lastDeliveredSeq = lastDeliveredSeq
        self.lastReadSeq = lastReadSeq
        self.deliveredAt = deliveredAt
        self.readAt = readAt
        self.joinedSeq = joinedSeq
        self.undelivered = undelivered
    }
}

/// Both ends belong to it.
public struct SeqRange: Codable, Hashable, Sendable {
    public var from: Int64
    public var to: Int64

    public init(from: Int64, to: Int64) {
        self.from = from
        self.to = to
    }

    public func contains(_ seq: Int64) -> Bool { from <= seq && seq <= to }
}

/// One user's own settings for a conversation; the other members never see them.
public struct ConversationSettings: Codable, Hashable, Sendable {
    /// Silent until then by the server's clock; `Timestamp.distantFuture` is for ever; absent: not muted.
    public var mutedUntil: Timestamp?
    public var archived: Bool
    public var pinned: Bool

    public init(mutedUntil: Timestamp? = nil, archived: Bool = false, pinned: Bool = false) {
        self.mutedUntil = mutedUntil
        self.archived = archived
        self.pinned = pinned
    }
}
