import ChatterModel

/// A message as a screen shows it.
public struct MessageItem: Hashable, Sendable, Identifiable {
    /// Stable from the moment a message is written: an ack does not change it. Only a sender's own client message
    /// ids are unique, so both belong to it.
    public struct Key: Hashable, Sendable {
        public var senderID: ChatterModel.ID<User>
        public var clientMessageID: ClientMessageID

        public init(senderID: ChatterModel.ID<User>, clientMessageID: ClientMessageID) {
            self.senderID = senderID
            self.clientMessageID = clientMessageID
        }
    }

    public var id: Key
    public var conversationID: ChatterModel.ID<Conversation>
    /// nil until the server has it.
    public var messageID: ChatterModel.ID<Message>?
    /// nil until the server has it; such messages stand below all others, in the order they were written.
    public var seq: Int64?
    /// nil when the sender is not known here yet.
    public var sender: User?
    public var isMine: Bool
    public var type: MessageType
    /// Empty once deleted.
    public var body: String
    /// The server's time, or this device's while the server does not have it.
    public var createdAt: Timestamp
    public var editedAt: Timestamp?
    public var isDeleted: Bool
    public var replyToID: ChatterModel.ID<Message>?
    /// nil on messages by others.
    public var status: DeliveryStatus?
    /// When one's own message had reached every other member, by the server's clock, or a moment after that; nil while
    /// it has not, and when it is not known.
    public var deliveredAt: Timestamp?
    /// When every other member had read it, likewise.
    public var readAt: Timestamp?

    public init(
        id: Key, conversationID: ChatterModel.ID<Conversation>, messageID: ChatterModel.ID<Message>?,
        seq: Int64?, sender: User?,
        isMine: Bool, type: MessageType, body: String, createdAt: Timestamp, editedAt: Timestamp? = nil,
        isDeleted: Bool = false, replyToID: ChatterModel.ID<Message>? = nil, status: DeliveryStatus?,
        deliveredAt: Timestamp? = nil, readAt: Timestamp? = nil
    ) {
        self.id = id
        self.conversationID = conversationID
        self.messageID = messageID
        self.seq = seq
        self.sender = sender
        self.isMine = isMine
        self.type = type
        self.body = body
        self.createdAt = createdAt
        self.editedAt = editedAt
        self.isDeleted = isDeleted
        self.replyToID = replyToID
        self.status = status
        self.deliveredAt = deliveredAt
        self.readAt = readAt
    }
}

/// How far one's own message got. Only moves forward, but for a retry of a failed one.
public enum DeliveryStatus: Hashable, Sendable {
    /// Not acknowledged by the server: the clock.
    case pending
    /// ✓
    case sent
    /// ✓✓: has reached a device of every other member.
    case delivered
    /// ✓✓ in colour: read by every other member.
    case read
    /// Will not be sent again by itself.
    case failed(FailureReason)
}

/// Why an action will not be tried again by itself.
public struct FailureReason: Hashable, Sendable {
    /// An `ErrorCode`, a newer server's own, or one of this client's below.
    public var code: String

    public init(code: String) { self.code = code }

    /// The server broke on it again and again.
    public static let serverFault = FailureReason(code: "SERVER_FAULT")
}
