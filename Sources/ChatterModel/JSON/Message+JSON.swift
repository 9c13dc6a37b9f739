extension Message: QuickWritable, QuickReadable {
    func write(to json: inout JSONWriter) -> Bool {
        json.object { json in
            json.field("id", id.rawValue)
            json.field("clientMessageId", clientMessageID.rawValue)
            json.field("conversationId", conversationID.rawValue)
            json.field("senderId", senderID.rawValue)
            json.field("seq", seq)
            json.field("change", change)
            json.field("type", type.rawValue)
            json.field("body", body)
            json.field("createdAt", createdAt)
            if let editedAt { json.field("editedAt", editedAt) }
            if let deletedAt { json.field("deletedAt", deletedAt) }
            if let replyToID { json.field("replyToId", replyToID.rawValue) }
            if let hidden { json.field("hidden", hidden) }
        }
        return true
    }

    init(from json: inout JSONReader) throws(Unusual) {
        var id: ID<Message>?
        var clientMessageID: ClientMessageID?
        var conversationID: ID<Conversation>?
        var senderID: ID<User>?
        var seq: Int64?
        var change: Int64?
        var type: MessageType?
        var body: String?
        var createdAt: Timestamp?
        var editedAt: Timestamp?
        var deletedAt: Timestamp?
        var replyToID: ID<Message>?
        var hidden: Bool?
        try json.object { (json, key) throws(Unusual) in
            switch key {
            case "id": try json.read(into: &id)
            case "clientMessageId": try json.read(into: &clientMessageID)
            case "conversationId": try json.read(into: &conversationID)
            case "senderId": try json.read(into: &senderID)
            case "seq": try json.read(into: &seq)
            case "change": try json.read(into: &change)
            case "type": try json.read(into: &type)
            case "body": try json.read(into: &body)
            case "createdAt": try json.read(into: &createdAt)
            case "editedAt": try json.read(into: &editedAt)
            case "deletedAt": try json.read(into: &deletedAt)
            case "replyToId": try json.read(into: &replyToID)
            case "hidden": try json.read(into: &hidden)
            default: throw Unusual()
            }
        }
        self.init(
            id: try required(id), clientMessageID: try required(clientMessageID),
            conversationID: try required(conversationID), senderID: try required(senderID),
            seq: try required(seq), change: try required(change), type: try required(type),
            body: try required(body), createdAt: try required(createdAt), editedAt: editedAt,
            deletedAt: deletedAt, replyToID: replyToID, hidden: hidden)
    }
}

extension MessagePage: QuickWritable, QuickReadable {
    func write(to json: inout JSONWriter) -> Bool {
        json.object { json in
            json.field("hasMore", hasMore)
            json.field("lastSeq", lastSeq)
            json.field("lastChange", lastChange)
            return json.field("messages", messages)
        }
    }

    init(from json: inout JSONReader) throws(Unusual) {
        var messages: [Message]?
        var hasMore: Bool?
        var lastSeq: Int64?
        var lastChange: Int64?
        try json.object { (json, key) throws(Unusual) in
            switch key {
            case "messages" where messages == nil: messages = try json.array(of: Message.self)
            case "hasMore": try json.read(into: &hasMore)
            case "lastSeq": try json.read(into: &lastSeq)
            case "lastChange": try json.read(into: &lastChange)
            default: throw Unusual()
            }
        }
        self.init(
            messages: try required(messages), hasMore: try required(hasMore), lastSeq: try required(lastSeq),
            lastChange: try required(lastChange))
    }
}

extension MessageAck: QuickWritable, QuickReadable {
    func write(to json: inout JSONWriter) -> Bool {
        json.object { json in
            json.field("clientMessageId", clientMessageID.rawValue)
            json.field("id", id.rawValue)
            json.field("conversationId", conversationID.rawValue)
            json.field("seq", seq)
            json.field("change", change)
            json.field("createdAt", createdAt)
        }
        return true
    }

    init(from json: inout JSONReader) throws(Unusual) {
        var clientMessageID: ClientMessageID?
        var id: ID<Message>?
        var conversationID: ID<Conversation>?
        var seq: Int64?
        var change: Int64?
        var createdAt: Timestamp?
        try json.object { (json, key) throws(Unusual) in
            switch key {
            case "clientMessageId": try json.read(into: &clientMessageID)
            case "id": try json.read(into: &id)
            case "conversationId": try json.read(into: &conversationID)
            case "seq": try json.read(into: &seq)
            case "change": try json.read(into: &change)
            case "createdAt": try json.read(into: &createdAt)
            default: throw Unusual()
            }
        }
        self.init(
            clientMessageID: try required(clientMessageID), id: try required(id),
            conversationID: try required(conversationID), seq: try required(seq),
            change: try required(change), createdAt: try required(createdAt))
    }
}

extension Receipt: QuickWritable, QuickReadable {
    func write(to json: inout JSONWriter) -> Bool {
        json.object { json in
            json.field("conversationId", conversationID.rawValue)
            json.field("userId", userID.rawValue)
            json.field("lastDeliveredSeq", lastDeliveredSeq)
            json.field("lastReadSeq", lastReadSeq)
            if let deliveredAt { json.field("deliveredAt", deliveredAt) }
            if let readAt { json.field("readAt", readAt) }
        }
        return true
    }

    init(from json: inout JSONReader) throws(Unusual) {
        var conversationID: ID<Conversation>?
        var userID: ID<User>?
        var lastDeliveredSeq: Int64?
        var lastReadSeq: Int64?
        var deliveredAt: Timestamp?
        var readAt: Timestamp?
        try json.object { (json, key) throws(Unusual) in
            switch key {
            case "conversationId": try json.read(into: &conversationID)
            case "userId": try json.read(into: &userID)
            case "lastDeliveredSeq": try json.read(into: &lastDeliveredSeq)
            case "lastReadSeq": try json.read(into: &lastReadSeq)
            case "deliveredAt": try json.read(into: &deliveredAt)
            case "readAt": try json.read(into: &readAt)
            default: throw Unusual()
            }
        }
        self.init(
            conversationID: try required(conversationID), userID: try required(userID),
            lastDeliveredSeq: try required(lastDeliveredSeq), lastReadSeq: try required(lastReadSeq),
            deliveredAt: deliveredAt, readAt: readAt)
    }
}
