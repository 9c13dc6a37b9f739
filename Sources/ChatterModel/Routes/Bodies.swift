public struct RequestCode: Codable, Hashable, Sendable {
    public var phone: String
    public init(phone: String) { self.phone = phone }
}

/// The phone number as the server understood it, and how long (seconds) the code holds.
public struct CodeRequested: Codable, Hashable, Sendable {
    public var phone: String
    public var expiresIn: Int
    public init(phone: String, expiresIn: Int) {
        self.phone = phone
        self.expiresIn = expiresIn
    }
}

public struct VerifyCode: Codable, Hashable, Sendable {
    public var phone: String
    public var code: String
    public var device: DeviceDescription
    public init(phone: String, code: String, device: DeviceDescription) {
        self.phone = phone
        self.code = code
        self.device = device
    }
}

public struct SignedIn: Codable, Hashable, Sendable {
    public var accessToken: String
    public var refreshToken: String
    /// Seconds until the access token ends.
    public var expiresIn: Int
    public var isNewUser: Bool
    public var user: Me
    public var deviceID: ID<Device>

    public init(
        accessToken: String, refreshToken: String, expiresIn: Int, isNewUser: Bool, user: Me,
        deviceID: ID<Device>
    ) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresIn = expiresIn
        self.isNewUser = isNewUser
        self.user = user
        self.deviceID = deviceID
    }

    enum CodingKeys: String, CodingKey {
        case accessToken, refreshToken, expiresIn, isNewUser, user
        case deviceID = "deviceId"
    }
}

public struct RefreshTokens: Codable, Hashable, Sendable {
    public var refreshToken: String
    public init(refreshToken: String) { self.refreshToken = refreshToken }
}

public struct TokenPair: Codable, Hashable, Sendable {
    public var accessToken: String
    public var refreshToken: String
    /// Seconds until the access token ends.
    public var expiresIn: Int
    public init(accessToken: String, refreshToken: String, expiresIn: Int) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresIn = expiresIn
    }
}

/// Absent fields stay as they are; an empty `about` clears it.
public struct EditProfile: Codable, Hashable, Sendable {
    public var displayName: String?
    public var username: String?
    public var about: String?
    public var lastSeenVisibility: LastSeenVisibility?
    public init(
        displayName: String? = nil, username: String? = nil, about: String? = nil,
        lastSeenVisibility: LastSeenVisibility? = nil
    ) {
        self.displayName = displayName
        self.username = username
        self.about = about
        self.lastSeenVisibility = lastSeenVisibility
    }
}

/// `username` as it would be stored; `reason` (`taken`, `reserved`, `invalid`) when not available.
public struct UsernameAvailability: Codable, Hashable, Sendable {
    public var username: String
    public var available: Bool
    public var reason: String?
    public init(username: String, available: Bool, reason: String? = nil) {
        self.username = username
        self.available = available
        self.reason = reason
    }
}

public struct NewFriendRequest: Codable, Hashable, Sendable {
    public var userID: ID<User>
    public init(userID: ID<User>) { self.userID = userID }
    enum CodingKeys: String, CodingKey { case userID = "userId" }
}

public struct NewReport: Codable, Hashable, Sendable {
    public var userID: ID<User>
    public var messageID: ID<Message>?
    public var reason: Report.Reason
    /// At most 1,000 characters.
    public var comment: String?
    public init(
        userID: ID<User>, messageID: ID<Message>? = nil, reason: Report.Reason, comment: String? = nil
    ) {
        self.userID = userID
        self.messageID = messageID
        self.reason = reason
        self.comment = comment
    }
    enum CodingKeys: String, CodingKey {
        case reason, comment
        case userID = "userId"
        case messageID = "messageId"
    }
}

public struct ReportFiled: Codable, Hashable, Sendable {
    public var id: ID<Report>
    public init(id: ID<Report>) { self.id = id }
}

public struct OpenDirect: Codable, Hashable, Sendable {
    public var userID: ID<User>
    public init(userID: ID<User>) { self.userID = userID }
    enum CodingKeys: String, CodingKey { case userID = "userId" }
}

/// Absent fields stay; `mutedUntil: null` is spelled by `unmute: true`, since absent and null read alike.
public struct EditSettings: Codable, Hashable, Sendable {
    public var mutedUntil: Timestamp?
    public var unmute: Bool?
    public var archived: Bool?
    public var pinned: Bool?
    public init(
        mutedUntil: Timestamp? = nil, unmute: Bool? = nil, archived: Bool? = nil, pinned: Bool? = nil
    ) {
        self.mutedUntil = mutedUntil
        self.unmute = unmute
        self.archived = archived
        self.pinned = pinned
    }
}

/// The send by REST; the same fields as the socket's `message.send` but for the conversation, which the path names.
public struct NewMessage: Codable, Hashable, Sendable {
    public var clientMessageID: ClientMessageID
    public var type: MessageType
    public var body: String
    public var replyToID: ID<Message>?
    public init(
        clientMessageID: ClientMessageID, type: MessageType = .text, body: String,
        replyToID: ID<Message>? = nil
    ) {
        self.clientMessageID = clientMessageID
        self.type = type
        self.body = body
        self.replyToID = replyToID
    }
    enum CodingKeys: String, CodingKey {
        case type, body
        case clientMessageID = "clientMessageId"
        case replyToID = "replyToId"
    }
}

public enum DeletionScope: String, Codable, Hashable, Sendable, CaseIterable {
    case me, everyone
}

/// Watermarks to move forward; read implies delivered.
public struct MoveReceipts: Codable, Hashable, Sendable {
    public var delivered: Int64?
    public var read: Int64?
    public init(delivered: Int64? = nil, read: Int64? = nil) {
        self.delivered = delivered
        self.read = read
    }
}

/// Everything that changed for this user after a cursor. Each record carries its `version`; a merge keeps the larger.
public struct SyncPage: Codable, Hashable, Sendable {
    /// Opaque; pass it as `since` next time. Store it only with the page's records, in one transaction.
    public var cursor: String
    public var hasMore: Bool
    public var serverTime: Timestamp
    public var me: Me?
    public var users: [User]
    public var friends: [Friend]
    public var removedFriends: [Removed]
    /// Of any status: one that is no longer `pending` leaves the lists.
    public var friendRequests: [FriendRequest]
    public var blocks: [Block]
    public var removedBlocks: [Removed]
    public var conversations: [Conversation]
    public var hiddenMessages: [HiddenMessage]

    public init(
        cursor: String, hasMore: Bool, serverTime: Timestamp, me: Me? = nil, users: [User] = [],
        friends: [Friend] = [], removedFriends: [Removed] = [], friendRequests: [FriendRequest] = [],
        blocks: [Block] = [], removedBlocks: [Removed] = [], conversations: [Conversation] = [],
        hiddenMessages: [HiddenMessage] = []
    ) {
        self.cursor = cursor
        self.hasMore = hasMore
        self.serverTime = serverTime
        self.me = me
        self.users = users
        self.friends = friends
        self.removedFriends = removedFriends
        self.friendRequests = friendRequests
        self.blocks = blocks
        self.removedBlocks = removedBlocks
        self.conversations = conversations
        self.hiddenMessages = hiddenMessages
    }
}

/// A message that this user deleted for themselves.
public struct HiddenMessage: Codable, Hashable, Sendable {
    public var conversationID: ID<Conversation>
    public var messageID: ID<Message>
    public init(conversationID: ID<Conversation>, messageID: ID<Message>) {
        self.conversationID = conversationID
        self.messageID = messageID
    }
    enum CodingKeys: String, CodingKey {
        case conversationID = "conversationId"
        case messageID = "messageId"
    }
}

public struct Health: Codable, Hashable, Sendable {
    public var status: String
    public init(status: String) { self.status = status }
}
