import ChatterModel

/// A message on its way in, the same by socket and by REST. Checked before it takes a place in the queue.
struct MessageDraft: Sendable, Equatable {
    let clientMessageID: ClientMessageID
    let conversation: ID<Conversation>
    let body: String
    let replyTo: ID<Message>?

    /// Throws VALIDATION_FAILED for a type that people can't send and for a body outside the limits.
    init(
        clientMessageID: ClientMessageID, conversation: ID<Conversation>, type: MessageType, body: String,
        replyTo: ID<Message>? = nil
    ) throws(APIError) {
        guard type == .text else { throw .invalid("type", "must be text") }
        try MessageText.check(body)
        self.clientMessageID = clientMessageID
        self.conversation = conversation
        self.body = body
        self.replyTo = replyTo
    }

    init(_ message: SendMessage) throws(APIError) {
        try self.init(
            clientMessageID: message.clientMessageID, conversation: message.conversationID,
            type: message.type,
            body: message.body, replyTo: message.replyToID)
    }

    init(_ message: NewMessage, in conversation: ID<Conversation>) throws(APIError) {
        try self.init(
            clientMessageID: message.clientMessageID, conversation: conversation, type: message.type,
            body: message.body, replyTo: message.replyToID)
    }
}
