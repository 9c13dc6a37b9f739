/// A frame from client to server: `{"type", "data", "id"?}`; the answer or error to it carries the same `id`.
public struct ClientFrame: Hashable, Sendable {
    public var action: ClientAction
    /// At most 64 characters.
    public var id: String?

    public init(_ action: ClientAction, id: String? = nil) {
        self.action = action
        self.id = id
    }
}

public enum ClientAction: Hashable, Sendable {
    case syncRequest(SyncRequest)
    case messageSend(SendMessage)
    /// Answered with `receipt.updated`, moved or not.
    case receiptDelivered(Watermark)
    case receiptRead(Watermark)
    case typingStart(TypingIn)
    case typingStop(TypingIn)
    case ping
    /// A type that this build does not know: ignored.
    case unknown(String)
}

/// What the client holds of each conversation: the server streams what is above either, oldest change first.
public struct SyncRequest: Codable, Hashable, Sendable {
    public struct Held: Codable, Hashable, Sendable {
        /// The largest seq below which no message is missing (history that was never loaded aside).
        public var seq: Int64
        /// All changes up to here are applied.
        public var change: Int64

        public init(seq: Int64, change: Int64) {
            self.seq = seq
            self.change = change
        }
    }

    /// At most 1,000 in one request.
    public var conversations: [ID<Conversation>: Held]

    public init(conversations: [ID<Conversation>: Held]) { self.conversations = conversations }
}

public struct SendMessage: Codable, Hashable, Sendable {
    public var clientMessageID: ClientMessageID
    public var conversationID: ID<Conversation>
    public var type: MessageType
    public var body: String
    public var replyToID: ID<Message>?

    public init(
        clientMessageID: ClientMessageID, conversationID: ID<Conversation>, type: MessageType = .text,
        body: String, replyToID: ID<Message>? = nil
    ) {
        self.clientMessageID = clientMessageID
        self.conversationID = conversationID
        self.type = type
        self.body = body
        self.replyToID = replyToID
    }

    enum CodingKeys: String, CodingKey {
        case type, body
        case clientMessageID = "clientMessageId"
        case conversationID = "conversationId"
        case replyToID = "replyToId"
    }
}

public struct Watermark: Codable, Hashable, Sendable {
    public var conversationID: ID<Conversation>
    public var seq: Int64

    public init(conversationID: ID<Conversation>, seq: Int64) {
        self.conversationID = conversationID
        self.seq = seq
    }

    enum CodingKeys: String, CodingKey {
        case seq
        case conversationID = "conversationId"
    }
}

public struct TypingIn: Codable, Hashable, Sendable {
    public var conversationID: ID<Conversation>

    public init(conversationID: ID<Conversation>) { self.conversationID = conversationID }

    enum CodingKeys: String, CodingKey { case conversationID = "conversationId" }
}

extension ClientFrame: Codable {
    private enum Keys: String, CodingKey { case type, data, id }

    public init(from decoder: any Decoder) throws {
        let frame = try decoder.container(keyedBy: Keys.self)
        func data<Payload: Decodable>(_ type: Payload.Type) throws -> Payload {
            try frame.decode(Payload.self, forKey: .data)
        }
        id = try frame.decodeIfPresent(String.self, forKey: .id)
        let type = try frame.decode(String.self, forKey: .type)
        action =
            switch type {
            case "sync.request": .syncRequest(try data(SyncRequest.self))
            case "message.send": .messageSend(try data(SendMessage.self))
            case "receipt.delivered": .receiptDelivered(try data(Watermark.self))
            case "receipt.read": .receiptRead(try data(Watermark.self))
            case "typing.start": .typingStart(try data(TypingIn.self))
            case "typing.stop": .typingStop(try data(TypingIn.self))
            case "ping": .ping
            default: .unknown(type)
            }
    }

    public func encode(to encoder: any Encoder) throws {
        var frame = encoder.container(keyedBy: Keys.self)
        try frame.encode(action.type, forKey: .type)
        try frame.encodeIfPresent(id, forKey: .id)
        switch action {
        case .syncRequest(let data): try frame.encode(data, forKey: .data)
        case .messageSend(let data): try frame.encode(data, forKey: .data)
        case .receiptDelivered(let data), .receiptRead(let data): try frame.encode(data, forKey: .data)
        case .typingStart(let data), .typingStop(let data): try frame.encode(data, forKey: .data)
        case .ping, .unknown: try frame.encode(Nothing(), forKey: .data)
        }
    }
}

extension ClientAction {
    /// The wire's name.
    public var type: String {
        switch self {
        case .syncRequest: "sync.request"
        case .messageSend: "message.send"
        case .receiptDelivered: "receipt.delivered"
        case .receiptRead: "receipt.read"
        case .typingStart: "typing.start"
        case .typingStop: "typing.stop"
        case .ping: "ping"
        case .unknown(let type): type
        }
    }
}
