import ChatterModel

/// One conversation's messages.
public struct MessagesRepository: Sendable {
    /// The newest messages, and again after each change; `loadOlder` widens it for every such stream of the
    /// conversation. Ends at sign-out.
    public func conversation(_ id: ID<Conversation>) -> AsyncStream<ConversationContent> { .empty }

    /// Every message that comes in or is sent (from any device of this account) from now on, once each, in the
    /// conversation's order; older history is not part of it. Ends at sign-out.
    public func arrivals() -> AsyncStream<MessageItem> { .empty }

    /// Stores and queues; the id names it for `retry` and `discard`. Throws `invalid` when the text is empty or
    /// longer than `Limits.messageCharacters` or `Limits.messageBytes`.
    @discardableResult
    public func send(
        _ text: String, in id: ID<Conversation>, replyTo: ID<Message>? = nil
    ) async throws(ClientError) -> ClientMessageID {
        throw .notBuilt
    }

    /// Queues a failed message again, behind what is waiting.
    public func retry(_ id: ClientMessageID) async throws(ClientError) { throw .notBuilt }

    /// Removes a message that waits or failed. One that is on its way is deleted for everyone once it arrived.
    public func discard(_ id: ClientMessageID) async throws(ClientError) { throw .notBuilt }

    /// `.everyone` needs one's own message.
    public func delete(_ id: MessageItem.Key, scope: DeletionScope) async throws(ClientError) {
        throw .notBuilt
    }

    /// Shows a page more; what is not here is fetched. Returns whether there is still more.
    @discardableResult
    public func loadOlder(_ id: ID<Conversation>) async throws(ClientError) -> Bool { throw .notBuilt }

    /// Moves one's own read watermark; it never goes back.
    public func markRead(_ id: ID<Conversation>, upTo seq: Int64) async throws(ClientError) {
        throw .notBuilt
    }

    /// While a conversation is on screen and the client is active, what arrives in it is marked read.
    public func setOnScreen(_ id: ID<Conversation>, _ onScreen: Bool) async {}

    /// Call on every keystroke with true, and with false when the text is sent or emptied; what is sent is limited
    /// here.
    public func setTyping(_ id: ID<Conversation>, _ typing: Bool) async {}
}
