import ChatterModel

/// One conversation's messages.
public struct MessagesRepository: Sendable {
    let keeper: SessionKeeper

    /// Shown at first, and added by each `loadOlder`.
    public static let pageSize = Limits.pageSize

    /// The newest messages, and again after each change; `loadOlder` widens it for every such stream of the
    /// conversation. Nothing comes before the conversation is known here. Ends at sign-out.
    public func conversation(_ id: ID<Conversation>) -> AsyncStream<ConversationContent> {
        keeper.stream { account in
            let query = LiveQuery(
                account,
                LiveQuery.Parts(tables: Self.tables) { [window = account.window(of: id)] context in
                    try context.shown(id, limit: window.limit(context))
                } show: { content, live in
                    content?.showing(live)
                })
            return { () async throws(ClientError) in try await query.next() }
        }
    }

    private static let tables: Set<Table> = [
        .lostMessages,
        .conversations, .messages, .members, .users, .friends, .blocks, .outbox, .holes,
    ]

    /// Every message that comes in or was sent (from any device of this account), once each, in the conversation's
    /// order, from the first look at the stream on; older history is not part of it. What the server lost, being set
    /// back to a backup, comes again when it was sent again. Ends at sign-out.
    public func arrivals() -> AsyncStream<MessageItem> {
        keeper.stream { account in
            let arrivals = Arrivals(account)
            return { () async throws(ClientError) in try await arrivals.next() }
        }
    }

    /// Stores and queues; the id names it for `retry` and `discard`. Throws `invalid` when the text is empty or
    /// longer than `Limits.messageCharacters` or `Limits.messageBytes`, `notFound` for an unknown conversation.
    ///
    /// - Parameter clearsDraft: true for a composer, whose draft becomes the message: it goes in the same transaction.
    @discardableResult
    public func send(
        _ text: String, in id: ID<Conversation>, replyTo: ID<Message>? = nil, clearsDraft: Bool = false
    ) async throws(ClientError) -> ClientMessageID {
        do throws(APIError) {
            try MessageText.check(text)
        } catch {
            throw ClientError(.invalid, error.message, details: error.details)
        }
        let message = SendMessage(
            clientMessageID: ClientMessageID(keeper.network.random.uuid()), conversationID: id, body: text,
            replyToID: replyTo)
        try await keeper.queue { try await $0.insertPending(message, clearsDraft: clearsDraft, at: $1) }
        return message.clientMessageID
    }

    /// Queues a failed message again, behind what is waiting.
    public func retry(_ id: ClientMessageID) async throws(ClientError) {
        try await keeper.queue { try await $0.retry(id, at: $1) }
    }

    /// Removes a message that waits or failed. One that is on its way is deleted for everyone once it arrived.
    public func discard(_ id: ClientMessageID) async throws(ClientError) {
        try await keeper.queue { try await $0.discard(id, at: $1) }
    }

    /// `.everyone` needs one's own message.
    public func delete(_ id: MessageItem.Key, scope: DeletionScope) async throws(ClientError) {
        try await keeper.queue { try await $0.delete(id, scope: scope, at: $1) }
    }

    /// Shows a page more; what is not here is fetched. Returns whether there is still more. Without a connection it
    /// shows what is here, and throws when that is nothing.
    ///
    /// - Parameter fetches: false for who knows that there is no connection, and does not wait to be told.
    @discardableResult
    public func loadOlder(
        _ id: ID<Conversation>, fetches: Bool = true
    ) async throws(ClientError) -> Bool {
        let account = try await keeper.current()
        let shown = try await ClientError.wrapping { [window = account.window(of: id)] in
            try await account.store.read { try window.limit($0) }
        }
        let limit = shown + Self.pageSize
        let before = try await holding(id, limit: limit, in: account)
        guard before.confirmed < limit, before.hasOlder else {
            account.widen(id, to: limit)
            return before.hasOlder
        }
        do throws(ClientError) {
            guard fetches else { throw ClientError(.outage, "not connected") }
            _ = try await ClientError.wrapping { try await account.engine.loadOlder(id) }
        } catch {
            guard before.confirmed > limit - Self.pageSize else { throw error }
        }
        account.widen(id, to: limit)
        return try await holding(id, limit: limit, in: account).hasOlder
    }

    private func holding(
        _ id: ID<Conversation>, limit: Int, in account: Account
    ) async throws(ClientError) -> (confirmed: Int, hasOlder: Bool) {
        let content = try await ClientError.wrapping {
            try await account.store.read { try $0.conversation(id, limit: limit) }
        }
        guard let content else { throw ClientError(.notFound, "there is no such conversation here") }
        return (content.items.filter { $0.seq != nil }.count, content.hasOlder)
    }

    /// While somebody reads above the newest: what is shown from `seq` on stays, however much comes in below it. With nil
    /// the newest are shown, as many as were asked for.
    public func keep(_ id: ID<Conversation>, from seq: Int64?) async { await keeper.keep(id, from: seq) }

    /// Moves one's own read watermark; it never goes back.
    public func markRead(_ id: ID<Conversation>, upTo seq: Int64) async throws(ClientError) {
        try await keeper.queue {
            try await $0.markRead(id, upTo: seq, at: $1, quiet: ReceiptScheduler.quiet)
        }
    }

    /// While a conversation is on screen and the client is active, what arrives in it is marked read.
    public func setOnScreen(_ id: ID<Conversation>, _ onScreen: Bool) async {
        await keeper.setOnScreen(id, onScreen)
    }

    /// Call on every keystroke with true, and with false when the text is sent or emptied; what is sent is limited
    /// here.
    public func setTyping(_ id: ID<Conversation>, _ typing: Bool) async {
        await keeper.setTyping(id, typing)
    }
}

/// How much of a conversation is shown.
private struct Window: Sendable {
    let id: ID<Conversation>
    let asked: Broadcast<[ID<Conversation>: Int]>
    let kept: Broadcast<[ID<Conversation>: Int64]>

    func limit(_ context: ReadContext) throws -> Int {
        let asked = asked.value[id] ?? MessagesRepository.pageSize
        guard let seq = kept.value[id] else { return asked }
        return max(asked, try context.shownCount(in: id, from: seq))
    }
}

extension Account {
    fileprivate func window(of id: ID<Conversation>) -> Window { Window(id: id, asked: windows, kept: kept) }

    fileprivate func widen(_ id: ID<Conversation>, to limit: Int) {
        var all = windows.value
        guard limit > all[id] ?? 0 else { return }
        all[id] = limit
        windows.send(all)
    }
}

extension ReadContext {
    /// As `conversation`, with when the peer was last seen.
    fileprivate func shown(_ id: ID<Conversation>, limit: Int) throws -> ConversationContent? {
        guard var content = try conversation(id, limit: limit) else { return nil }
        content.header.presence = try content.header.peer.flatMap { try lastSeen($0.id) }
        return content
    }

    private func lastSeen(_ friend: ID<User>) throws -> Presence? {
        try database.first(
            """
            SELECT lastSeenAt, presenceAt FROM friends
            WHERE userID = ? AND removed = 0 AND lastSeenAt IS NOT NULL
            """, friend.rawValue
        ) { row in
            Presence(userID: friend, online: false, lastSeenAt: row.timestamp(0), at: row.timestamp(1))
        }
    }
}

extension ConversationContent {
    fileprivate func showing(_ live: SyncEngine.LiveState) -> ConversationContent {
        var content = self
        content.header.typing = live.typing[id] ?? []
        if let peer = header.peer {
            content.header.presence = live.presence(of: peer.id, stored: header.presence)
        }
        return content
    }
}
