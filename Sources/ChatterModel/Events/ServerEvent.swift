/// A frame from server to client: `{"type", "data", "id"?}`. `id` is there when it answers a client frame's.
public enum ServerEvent: Hashable, Sendable {
    case sessionReady(SessionReady)
    case messageNew(Message)
    case messageAck(MessageAck)
    case messageUpdated(Message)
    case receiptUpdated(Receipt)
    case typing(Typing)
    case presenceUpdated(Presence)
    case conversationUpdated(Conversation)
    case friendRequestReceived(FriendRequest)
    case friendRequestAccepted(FriendshipMade)
    case friendRequestDeclined(FriendRequest)
    case friendRequestCancelled(FriendRequest)
    case friendRemoved(Removed)
    case userUpdated(User)
    /// Something of this user's own changed that has no event of its own (blocks, profile, devices): call `GET /sync`.
    case syncChanged
    case syncComplete(SyncComplete)
    case error(FrameError)
    case pong
    /// A type that this build does not know: to be ignored.
    case unknown(String)
}

public struct SessionReady: Codable, Hashable, Sendable {
    public var userID: ID<User>
    public var deviceID: ID<Device>
    public var serverTime: Timestamp
    /// Another one than before: the server was set back to a backup, and its numbers count on from there.
    public var epoch: ID<Epoch>

    public init(userID: ID<User>, deviceID: ID<Device>, serverTime: Timestamp, epoch: ID<Epoch>) {
        self.userID = userID
        self.deviceID = deviceID
        self.serverTime = serverTime
        self.epoch = epoch
    }

    enum CodingKeys: String, CodingKey {
        case serverTime, epoch
        case userID = "userId"
        case deviceID = "deviceId"
    }
}

/// The stretch of a server's life in which no `seq`, `change` or `version` is given twice; named at random.
public enum Epoch {}

public struct Typing: Codable, Hashable, Sendable {
    public var conversationID: ID<Conversation>
    public var userID: ID<User>
    public var isTyping: Bool

    public init(conversationID: ID<Conversation>, userID: ID<User>, isTyping: Bool) {
        self.conversationID = conversationID
        self.userID = userID
        self.isTyping = isTyping
    }

    enum CodingKeys: String, CodingKey {
        case isTyping
        case conversationID = "conversationId"
        case userID = "userId"
    }
}

public struct FriendshipMade: Codable, Hashable, Sendable {
    public var request: FriendRequest
    public var friend: Friend

    public init(request: FriendRequest, friend: Friend) {
        self.request = request
        self.friend = friend
    }
}

/// Ends the stream that a `sync.request` started.
public struct SyncComplete: Codable, Hashable, Sendable {
    public struct State: Codable, Hashable, Sendable {
        /// All changes up to here were sent or are not to be had.
        public var change: Int64
        public var lastSeq: Int64
        public var lastChange: Int64
        /// More to fetch: page `GET …/messages?afterChange=change`.
        public var hasMore: Bool

        public init(change: Int64, lastSeq: Int64, lastChange: Int64, hasMore: Bool) {
            self.change = change
            self.lastSeq = lastSeq
            self.lastChange = lastChange
            self.hasMore = hasMore
        }
    }

    /// The conversations of the request; one that is missing here is not this user's (any more).
    public var conversations: [ID<Conversation>: State]

    public init(conversations: [ID<Conversation>: State]) { self.conversations = conversations }
}

/// The answer to a frame that could not be obeyed. Codes as in REST.
public struct FrameError: Codable, Hashable, Sendable {
    public var code: String
    public var message: String
    public var clientMessageID: ClientMessageID?
    /// Seconds, with RATE_LIMITED and UNAVAILABLE.
    public var retryAfter: Int?

    public init(
        code: String, message: String, clientMessageID: ClientMessageID? = nil, retryAfter: Int? = nil
    ) {
        self.code = code
        self.message = message
        self.clientMessageID = clientMessageID
        self.retryAfter = retryAfter
    }

    enum CodingKeys: String, CodingKey {
        case code, message, retryAfter
        case clientMessageID = "clientMessageId"
    }
}

/// An event with the id of the client frame that it answers, if any.
public struct ServerFrame: Hashable, Sendable {
    public var event: ServerEvent
    public var id: String?

    public init(_ event: ServerEvent, id: String? = nil) {
        self.event = event
        self.id = id
    }
}
