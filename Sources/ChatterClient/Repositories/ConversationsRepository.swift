import ChatterModel

/// The chats list, and what one sets for a chat.
public struct ConversationsRepository: Sendable {
    let keeper: SessionKeeper

    /// Pinned ones first, then by last activity. `archived` nil: all. Ends at sign-out.
    public func chats(archived: Bool? = nil) -> AsyncStream<[ChatItem]> {
        let serverTime = keeper.network.serverTime
        return keeper.stream(
            LiveQuery.Parts(tables: ReadContext.chatTables) {
                try $0.chats(archived: archived, now: serverTime.now)
            } show: { chats, live in
                chats.map { chat in
                    var chat = chat
                    chat.typing = live.typing[chat.id] ?? []
                    return chat
                }
            } changesAt: { chats in
                chats.filter(\.isMuted).compactMap(\.mutedUntil).min()
            })
    }

    /// The direct chat with `user`. Answered from the local database when it is there, else by the server.
    public func openDirect(with user: ID<User>) async throws(ClientError) -> ID<Conversation> {
        let account = try await keeper.current()
        let known = try await ClientError.wrapping {
            try await account.store.read { try $0.directConversation(with: user) }
        }
        if let known { return known }
        let conversation = try await account.api.call(Routes.openDirect, OpenDirect(userID: user))
        let outcome = try await ClientError.wrapping {
            try await account.store.store(conversation, at: account.clock.now)
        }
        await account.engine.merged(outcome)
        return conversation.id
    }

    /// Silent until `until` by the server's clock; `.distantFuture`: for ever; nil: not any more.
    public func setMuted(_ id: ID<Conversation>, until: Timestamp?) async throws(ClientError) {
        try await edit(until.map { EditSettings(mutedUntil: $0) } ?? EditSettings(unmute: true), of: id)
    }

    /// Silent from now on for `length`, however wrong this device's clock is; nil: for ever.
    public func mute(_ id: ID<Conversation>, for length: Duration?) async throws(ClientError) {
        let end = length.map { keeper.network.serverTime.now.advanced(by: $0) } ?? .distantFuture
        try await setMuted(id, until: end)
    }

    public func setArchived(_ id: ID<Conversation>, _ archived: Bool) async throws(ClientError) {
        try await edit(EditSettings(archived: archived), of: id)
    }

    public func setPinned(_ id: ID<Conversation>, _ pinned: Bool) async throws(ClientError) {
        try await edit(EditSettings(pinned: pinned), of: id)
    }

    private func edit(_ edit: EditSettings, of id: ID<Conversation>) async throws(ClientError) {
        try await keeper.queue { try await $0.edit(edit, of: id, at: $1) }
    }

    /// The unsent text, "" when there is none.
    public func draft(in id: ID<Conversation>) async throws(ClientError) -> String {
        let account = try await keeper.current()
        return try await ClientError.wrapping { try await account.store.draft(in: id) }
    }

    /// "" removes it. So does a send that says so.
    public func setDraft(_ text: String, in id: ID<Conversation>) async throws(ClientError) {
        let account = try await keeper.current()
        try await ClientError.wrapping {
            try await account.store.setDraft(text, in: id, at: account.clock.now)
        }
    }
}
