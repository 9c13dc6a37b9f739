import ChatterClient
import ChatterModel

// The shapes of `--json`. They are a promise to scripts: keys are added, never renamed or removed.
// docs/command-line.md lists them.

struct PersonShape: Encodable {
    var id: ID<User>
    var username: String?
    var displayName: String?
    var about: String
    var isDeleted: Bool

    init(_ user: User) {
        id = user.id
        username = user.username
        displayName = user.displayName
        about = user.about
        isDeleted = user.isDeleted
    }
}

struct MeShape: Encodable {
    var id: ID<User>
    var phone: String
    var username: String?
    var displayName: String?
    var about: String
    var lastSeen: LastSeenVisibility
    var profileComplete: Bool

    init(_ me: Me) {
        id = me.id
        phone = me.phone
        username = me.username
        displayName = me.displayName
        about = me.about
        lastSeen = me.lastSeenVisibility
        profileComplete = me.profileComplete
    }
}

struct PresenceShape: Encodable {
    var online: Bool
    var lastSeenAt: Timestamp?

    init?(_ presence: Presence?) {
        guard let presence else { return nil }
        online = presence.online
        lastSeenAt = presence.lastSeenAt
    }
}

struct MessageShape: Encodable {
    var clientMessageId: ClientMessageID
    var id: ID<Message>?
    var seq: Int64?
    var conversationId: ID<Conversation>
    var sender: PersonShape?
    var isMine: Bool
    var type: MessageType
    var body: String
    var createdAt: Timestamp
    var editedAt: Timestamp?
    var isDeleted: Bool
    /// On one's own: `pending`, `sent`, `delivered`, `read`, `failed`.
    var status: String?
    /// On one's own, once they are known.
    var deliveredAt: Timestamp?
    var readAt: Timestamp?
    /// With `failed`: an error code.
    var reason: String?

    init(_ item: MessageItem) {
        clientMessageId = item.id.clientMessageID
        id = item.messageID
        seq = item.seq
        conversationId = item.conversationID
        sender = item.sender.map(PersonShape.init)
        isMine = item.isMine
        type = item.type
        body = item.body
        createdAt = item.createdAt
        editedAt = item.editedAt
        isDeleted = item.isDeleted
        status = item.status.map(Ticks.word)
        (deliveredAt, readAt) = (item.deliveredAt, item.readAt)
        if case .failed(let reason) = item.status { self.reason = reason.code }
    }
}

struct ChatShape: Encodable {
    var id: ID<Conversation>
    var type: Conversation.Kind
    var title: String
    var peer: PersonShape?
    var lastMessage: MessageShape?
    var draft: String?
    var unreadCount: Int
    var mutedUntil: Timestamp?
    var isMuted: Bool
    var isArchived: Bool
    var isPinned: Bool
    var lastActivityAt: Timestamp

    init(_ item: ChatItem) {
        id = item.id
        type = item.type
        title = item.title
        peer = item.peer.map(PersonShape.init)
        lastMessage = item.preview.map(MessageShape.init)
        draft = item.draft
        unreadCount = item.unreadCount
        mutedUntil = item.mutedUntil
        isMuted = item.isMuted
        isArchived = item.isArchived
        isPinned = item.isPinned
        lastActivityAt = item.lastActivityAt
    }
}

struct FriendShape: Encodable {
    var user: PersonShape
    var since: Timestamp
    var presence: PresenceShape?

    init(_ item: FriendItem) {
        user = PersonShape(item.user)
        since = item.since
        presence = PresenceShape(item.presence)
    }
}

struct RequestShape: Encodable {
    var user: PersonShape
    var direction: FriendRequest.Direction
    var createdAt: Timestamp
    var isQueued: Bool

    init(_ item: RequestItem) {
        user = PersonShape(item.user)
        direction = item.direction
        createdAt = item.createdAt
        isQueued = item.isQueued
    }
}

struct BlockShape: Encodable {
    var user: PersonShape
    var createdAt: Timestamp

    init(_ item: BlockItem) {
        user = PersonShape(item.user)
        createdAt = item.createdAt
    }
}

struct FoundShape: Encodable {
    var user: PersonShape
    var friendshipStatus: FriendshipStatus

    init(_ found: FoundUser) {
        user = PersonShape(found.user)
        friendshipStatus = found.friendshipStatus
    }
}

struct OutboxShape: Encodable {
    var id: Int64
    var kind: String
    var lane: String
    var clientMessageId: ClientMessageID?
    /// `waiting` or `failed`.
    var state: String
    var reason: String?
    var attempts: Int
    var nextAttemptAt: Timestamp?
    var createdAt: Timestamp

    init(_ item: OutboxItem) {
        id = item.id
        kind = item.kind
        lane = item.lane
        clientMessageId = item.clientMessageID
        attempts = item.attempts
        nextAttemptAt = item.nextAttemptAt
        createdAt = item.createdAt
        switch item.state {
        case .waiting: state = "waiting"
        case .failed(let reason):
            state = "failed"
            self.reason = reason.code
        }
    }
}

/// Every list.
struct ListShape<Item: Encodable>: Encodable {
    var items: [Item]
    /// True when the server was not reached: it is what is stored on this machine.
    var offline: Bool?
}

/// What a command that changes something about a person answers.
struct DoneShape: Encodable {
    var done: String
    var user: PersonShape?
}
