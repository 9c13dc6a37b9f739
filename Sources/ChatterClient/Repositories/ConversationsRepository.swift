import ChatterModel

/// The chats list, and what one sets for a chat.
public struct ConversationsRepository: Sendable {
    /// Pinned ones first, then by last activity. `archived` nil: all. Ends at sign-out.
    public func chats(archived: Bool? = nil) -> AsyncStream<[ChatItem]> { .empty }

    /// The direct chat with `user`. Answered from the local database when it is there, else by the server.
    public func openDirect(with user: ID<User>) async throws(ClientError) -> ID<Conversation> {
        throw .notBuilt
    }

    /// Silent until `until` by the server's clock; `.distantFuture`: for ever; nil: not any more.
    public func setMuted(_ id: ID<Conversation>, until: Timestamp?) async throws(ClientError) {
        throw .notBuilt
    }

    public func setArchived(_ id: ID<Conversation>, _ archived: Bool) async throws(ClientError) {
        throw .notBuilt
    }

    public func setPinned(_ id: ID<Conversation>, _ pinned: Bool) async throws(ClientError) {
        throw .notBuilt
    }

    /// The unsent text, "" when there is none.
    public func draft(in id: ID<Conversation>) async throws(ClientError) -> String { throw .notBuilt }

    /// "" removes it. A send does not touch it: the composer decides.
    public func setDraft(_ text: String, in id: ID<Conversation>) async throws(ClientError) {
        throw .notBuilt
    }
}
