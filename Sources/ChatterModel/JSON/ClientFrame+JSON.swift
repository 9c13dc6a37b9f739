extension SendMessage: QuickWritable, QuickReadable {
    func write(to json: inout JSONWriter) -> Bool {
        json.object { json in
            json.field("clientMessageId", clientMessageID.rawValue)
            json.field("conversationId", conversationID.rawValue)
            json.field("type", type.rawValue)
            json.field("body", body)
            if let replyToID { json.field("replyToId", replyToID.rawValue) }
        }
        return true
    }

    init(from json: inout JSONReader) throws(Unusual) {
        var clientMessageID: ClientMessageID?
        var conversationID: ID<Conversation>?
        var type: MessageType?
        var body: String?
        var replyToID: ID<Message>?
        try json.object { (json, key) throws(Unusual) in
            switch key {
            case "clientMessageId": try json.read(into: &clientMessageID)
            case "conversationId": try json.read(into: &conversationID)
            case "type": try json.read(into: &type)
            case "body": try json.read(into: &body)
            case "replyToId": try json.read(into: &replyToID)
            default: throw Unusual()
            }
        }
        self.init(
            clientMessageID: try required(clientMessageID), conversationID: try required(conversationID),
            type: try required(type), body: try required(body), replyToID: replyToID)
    }
}

extension Watermark: QuickWritable, QuickReadable {
    func write(to json: inout JSONWriter) -> Bool {
        json.object { json in
            json.field("conversationId", conversationID.rawValue)
            json.field("seq", seq)
        }
        return true
    }

    init(from json: inout JSONReader) throws(Unusual) {
        var conversationID: ID<Conversation>?
        var seq: Int64?
        try json.object { (json, key) throws(Unusual) in
            switch key {
            case "conversationId": try json.read(into: &conversationID)
            case "seq": try json.read(into: &seq)
            default: throw Unusual()
            }
        }
        self.init(conversationID: try required(conversationID), seq: try required(seq))
    }
}

extension ClientFrame: QuickWritable, QuickReadable {
    func write(to json: inout JSONWriter) -> Bool {
        switch action {
        case .messageSend(let data): json.frame(action.type, data, id)
        case .receiptDelivered(let data), .receiptRead(let data): json.frame(action.type, data, id)
        default: false
        }
    }

    init(from json: inout JSONReader) throws(Unusual) {
        let frame = try JSONFrame(from: &json)
        let action: ClientAction =
            switch frame.type {
            case "message.send": .messageSend(try json.read(SendMessage.self, at: frame.data))
            case "receipt.delivered": .receiptDelivered(try json.read(Watermark.self, at: frame.data))
            case "receipt.read": .receiptRead(try json.read(Watermark.self, at: frame.data))
            default: throw Unusual()
            }
        self.init(action, id: frame.id)
    }
}
