import ChatterModel

/// What can still be read of a frame that is no `ClientFrame`: enough for its sender to know which of its frames is
/// refused. Without it a send would count as unanswered and be sent again.
struct FrameEnvelope: Decodable {
    /// nil when it is missing, or not an id.
    let id: String?
    /// Of a `message.send`.
    let clientMessageID: ClientMessageID?

    private enum Keys: String, CodingKey { case type, id, data }
    private enum DataKeys: String, CodingKey { case clientMessageID = "clientMessageId" }

    static let unreadable = FrameEnvelope(id: nil, clientMessageID: nil)

    private init(id: String?, clientMessageID: ClientMessageID?) {
        self.id = id
        self.clientMessageID = clientMessageID
    }

    /// Throws when it is no JSON object; whatever else is wrong is left out.
    init(from decoder: any Decoder) throws {
        let frame = try decoder.container(keyedBy: Keys.self)
        let id = Self.value { try frame.decode(String.self, forKey: .id) }
        let type = Self.value { try frame.decode(String.self, forKey: .type) }
        self.id = id.flatMap { $0.count <= ChatterModel.Limits.frameIDCharacters ? $0 : nil }
        clientMessageID =
            type != "message.send"
            ? nil
            : Self.value {
                try frame.nestedContainer(keyedBy: DataKeys.self, forKey: .data)
                    .decode(ClientMessageID.self, forKey: .clientMessageID)
            }
    }

    private static func value<Value>(_ read: () throws -> Value) -> Value? {
        do {
            return try read()
        } catch {
            // The frame is refused for this or another fault already.
            return nil
        }
    }
}
