extension ServerFrame: Codable {
    private enum Keys: String, CodingKey { case type, data, id }

    public init(from decoder: any Decoder) throws {
        let frame = try decoder.container(keyedBy: Keys.self)
        func data<Payload: Decodable>(_ type: Payload.Type) throws -> Payload {
            try frame.decode(Payload.self, forKey: .data)
        }
        id = try frame.decodeIfPresent(String.self, forKey: .id)
        let type = try frame.decode(String.self, forKey: .type)
        event =
            switch type {
            case "session.ready": .sessionReady(try data(SessionReady.self))
            case "message.new": .messageNew(try data(Message.self))
            case "message.ack": .messageAck(try data(MessageAck.self))
            case "message.updated": .messageUpdated(try data(Message.self))
            case "receipt.updated": .receiptUpdated(try data(Receipt.self))
            case "typing": .typing(try data(Typing.self))
            case "presence.updated": .presenceUpdated(try data(Presence.self))
            case "conversation.updated": .conversationUpdated(try data(Conversation.self))
            case "friend_request.received": .friendRequestReceived(try data(FriendRequest.self))
            case "friend_request.accepted": .friendRequestAccepted(try data(FriendshipMade.self))
            case "friend_request.declined": .friendRequestDeclined(try data(FriendRequest.self))
            case "friend_request.cancelled": .friendRequestCancelled(try data(FriendRequest.self))
            case "friend.removed": .friendRemoved(try data(Removed.self))
            case "user.updated": .userUpdated(try data(User.self))
            case "sync.changed": .syncChanged
            case "sync.complete": .syncComplete(try data(SyncComplete.self))
            case "error": .error(try data(FrameError.self))
            case "pong": .pong
            default: .unknown(type)
            }
    }

    public func encode(to encoder: any Encoder) throws {
        var frame = encoder.container(keyedBy: Keys.self)
        try frame.encode(event.type, forKey: .type)
        try frame.encodeIfPresent(id, forKey: .id)
        switch event {
        case .sessionReady(let data): try frame.encode(data, forKey: .data)
        case .messageNew(let data), .messageUpdated(let data): try frame.encode(data, forKey: .data)
        case .messageAck(let data): try frame.encode(data, forKey: .data)
        case .receiptUpdated(let data): try frame.encode(data, forKey: .data)
        case .typing(let data): try frame.encode(data, forKey: .data)
        case .presenceUpdated(let data): try frame.encode(data, forKey: .data)
        case .conversationUpdated(let data): try frame.encode(data, forKey: .data)
        case .friendRequestReceived(let data), .friendRequestDeclined(let data),
            .friendRequestCancelled(let data):
            try frame.encode(data, forKey: .data)
        case .friendRequestAccepted(let data): try frame.encode(data, forKey: .data)
        case .friendRemoved(let data): try frame.encode(data, forKey: .data)
        case .userUpdated(let data): try frame.encode(data, forKey: .data)
        case .syncComplete(let data): try frame.encode(data, forKey: .data)
        case .error(let data): try frame.encode(data, forKey: .data)
        case .syncChanged, .pong, .unknown: try frame.encode(Nothing(), forKey: .data)
        }
    }
}

extension ServerEvent {
    /// The wire's name.
    public var type: String {
        switch self {
        case .sessionReady: "session.ready"
        case .messageNew: "message.new"
        case .messageAck: "message.ack"
        case .messageUpdated: "message.updated"
        case .receiptUpdated: "receipt.updated"
        case .typing: "typing"
        case .presenceUpdated: "presence.updated"
        case .conversationUpdated: "conversation.updated"
        case .friendRequestReceived: "friend_request.received"
        case .friendRequestAccepted: "friend_request.accepted"
        case .friendRequestDeclined: "friend_request.declined"
        case .friendRequestCancelled: "friend_request.cancelled"
        case .friendRemoved: "friend.removed"
        case .userUpdated: "user.updated"
        case .syncChanged: "sync.changed"
        case .syncComplete: "sync.complete"
        case .error: "error"
        case .pong: "pong"
        case .unknown(let type): type
        }
    }
}
