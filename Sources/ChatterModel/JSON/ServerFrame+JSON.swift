extension ServerFrame: QuickWritable, QuickReadable {
    func write(to json: inout JSONWriter) -> Bool {
        switch event {
        case .messageNew(let data), .messageUpdated(let data): json.frame(event.type, data, id)
        case .messageAck(let data): json.frame(event.type, data, id)
        case .receiptUpdated(let data): json.frame(event.type, data, id)
        default: false
        }
    }

    init(from json: inout JSONReader) throws(Unusual) {
        let frame = try JSONFrame(from: &json)
        let event: ServerEvent =
            switch frame.type {
            case "message.new": .messageNew(try json.read(Message.self, at: frame.data))
            case "message.updated": .messageUpdated(try json.read(Message.self, at: frame.data))
            case "message.ack": .messageAck(try json.read(MessageAck.self, at: frame.data))
            case "receipt.updated": .receiptUpdated(try json.read(Receipt.self, at: frame.data))
            default: throw Unusual()
            }
        self.init(event, id: frame.id)
    }
}

/// `{"type", "data", "id"?}` in any order: the type, which says how to read the data, may come after it.
struct JSONFrame {
    let type: String
    let id: String?
    /// Where the data stands.
    let data: Int

    init(from json: inout JSONReader) throws(Unusual) {
        var type: String?
        var id: String?
        var data: Int?
        try json.object { (json, key) throws(Unusual) in
            switch key {
            case "type": try json.read(into: &type)
            case "id": try json.read(into: &id)
            case "data" where data == nil: data = try json.passObject()
            default: throw Unusual()
            }
        }
        self.type = try required(type)
        self.id = id
        self.data = try required(data)
    }
}

extension JSONWriter {
    /// False when `data` leaves itself to Foundation.
    mutating func frame(_ type: String, _ data: some QuickWritable, _ id: String?) -> Bool {
        object { json in
            json.field("type", type)
            if let id { json.field("id", id) }
            return json.field("data", data)
        }
    }
}
