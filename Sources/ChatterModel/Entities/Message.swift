/// A message as the server committed it.
public struct Message: Codable, Hashable, Sendable {
    public var id: ID<Message>
    public var clientMessageID: ClientMessageID
    public var conversationID: ID<Conversation>
    public var senderID: ID<User>
    /// The order within the conversation: +1 each message, given at commit.
    public var seq: Int64
    /// The conversation's count of mutations at this message's last one: its version.
    public var change: Int64
    public var type: MessageType
    /// Byte for byte as sent; empty once deleted.
    public var body: String
    public var createdAt: Timestamp
    public var editedAt: Timestamp?
    /// Set on a tombstone: deleted for everyone.
    public var deletedAt: Timestamp?
    public var replyToID: ID<Message>?
    /// True when this user deleted it for themselves; only their own devices are told.
    public var hidden: Bool?

    public init(
        id: ID<Message>, clientMessageID: ClientMessageID, conversationID: ID<Conversation>,
        senderID: ID<User>, seq: Int64, change: Int64, type: MessageType = .text, body: String,
        createdAt: Timestamp, editedAt: Timestamp? = nil, deletedAt: Timestamp? = nil,
        replyToID: ID<Message>? = nil, hidden: Bool? = nil
    ) {
        self.id = id
        self.clientMessageID = clientMessageID
        self.conversationID = conversationID
        self.senderID = senderID
        self.seq = seq
        self.change = change
        self.type = type
        self.body = body
        self.createdAt = createdAt
        self.editedAt = editedAt
        self.deletedAt = deletedAt
        self.replyToID = replyToID
        self.hidden = hidden
    }

    enum CodingKeys: String, CodingKey {
        case id, seq, change, type, body, createdAt, editedAt, deletedAt, hidden
        case clientMessageID = "clientMessageId"
        case conversationID = "conversationId"
        case senderID = "senderId"
        case replyToID = "replyToId"
    }
}

/// What a message holds. An unknown type is kept as it came and shown as "not supported by this version".
public struct MessageType: RawRepresentable, Codable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let text = MessageType(rawValue: "text")
    public static let system = MessageType(rawValue: "system")
}

/// What a send is answered with, by socket (`message.ack`) and by REST alike. The same for every repetition.
public struct MessageAck: Codable, Hashable, Sendable {
    public var clientMessageID: ClientMessageID
    public var id: ID<Message>
    public var conversationID: ID<Conversation>
    public var seq: Int64
    public var change: Int64
    public var createdAt: Timestamp

    public init(
        clientMessageID: ClientMessageID, id: ID<Message>, conversationID: ID<Conversation>, seq: Int64,
        change: Int64, createdAt: Timestamp
    ) {
        self.clientMessageID = clientMessageID
        self.id = id
        self.conversationID = conversationID
        self.seq = seq
        self.change = change
        self.createdAt = createdAt
    }

    enum CodingKeys: String, CodingKey {
        case id, seq, change, createdAt
        case clientMessageID = "clientMessageId"
        case conversationID = "conversationId"
    }
}

/// Ascending by `seq`, whichever way it was asked for.
public struct MessagePage: Codable, Hashable, Sendable {
    public var messages: [Message]
    /// More in the direction asked for.
    public var hasMore: Bool
    /// The conversation's `lastSeq` and `lastChange` when this page was read. Without `hasMore`, a page asked for by
    /// `afterSeq` or `afterChange` accounts for everything up to these: what is not in it is not to be had.
    public var lastSeq: Int64
    public var lastChange: Int64

    public init(messages: [Message], hasMore: Bool, lastSeq: Int64, lastChange: Int64) {
        self.messages = messages
        self.hasMore = hasMore
        self.lastSeq = lastSeq
        self.lastChange = lastChange
    }
}

/// A member's watermarks in one conversation.
public struct Receipt: Codable, Hashable, Sendable {
    public var conversationID: ID<Conversation>
    public var userID: ID<User>
    public var lastDeliveredSeq: Int64
    public var lastReadSeq: Int64
    /// When `lastDeliveredSeq` came to where it is, by the server's clock; nil when that is not known.
    public var deliveredAt: Timestamp?
    /// When `lastReadSeq` came to where it is.
    public var readAt: Timestamp?

    public init(
        conversationID: ID<Conversation>, userID: ID<User>, lastDeliveredSeq: Int64, lastReadSeq: Int64,
        deliveredAt: Timestamp? = nil, readAt: Timestamp? = nil
    ) {
        self.conversationID = conversationID
        self.userID = userID
        self.lastDeliveredSeq = lastDeliveredSeq
        self.lastReadSeq = lastReadSeq
        self.deliveredAt = deliveredAt
        self.readAt = readAt
    }

    enum CodingKeys: String, CodingKey {
        case lastDeliveredSeq, lastReadSeq, deliveredAt, readAt
        case conversationID = "conversationId"
        case userID = "userId"
    }
}
