import ChatterModel
import SQLite

/// What the server says, merged. Everything may come twice, late, or in another order: the effect is the same.
extension Store {
    /// A run of live events in their order, in one commit.
    func apply(_ events: [StoredEvent], at now: Timestamp) async throws -> MergeOutcome {
        try await write { context in
            var session = MergeSession(context, now: now)
            for event in events { try session.apply(event) }
            return try session.finish()
        }
    }

    @discardableResult
    package func merge(_ message: Message, at now: Timestamp) async throws -> Bool {
        try await !apply([.message(message)], at: now).settled.isEmpty
    }

    /// A page of messages: the rows and what they say about holes, counts and watermarks, in one commit.
    @discardableResult
    func merge(
        _ page: MessagePage, in id: ID<Conversation>, asked range: MessageRange, limit: Int, at now: Timestamp
    ) async throws -> MergeOutcome {
        try await write { context in
            var session = MergeSession(context, now: now)
            try session.page(page, in: id, asked: range, limit: limit)
            return try session.finish()
        }
    }

    /// As the catch-up does it with a page of missed messages; for the benchmark.
    package func merge(
        missed page: MessagePage, in id: ID<Conversation>, after change: Int64, at now: Timestamp
    )
        async throws
    {
        try await merge(page, in: id, asked: .afterChange(change), limit: page.messages.count, at: now)
    }

    /// A page of `GET /sync` with its cursor, in one commit: neither is ever there without the other.
    @discardableResult
    package func apply(_ page: SyncPage, at now: Timestamp) async throws -> Bool {
        _ = try await applySync(page, at: now)
        return page.hasMore
    }

    func applySync(_ page: SyncPage, at now: Timestamp) async throws -> MergeOutcome {
        try await write { context in
            var session = MergeSession(context, now: now)
            try context.store(people: page)
            for conversation in page.conversations { try session.conversation(conversation) }
            for hidden in page.hiddenMessages { try session.hidden(hidden) }
            try context.database.setState(.cursor, page.cursor)
            if !page.hasMore { try context.sweep(at: now) }
            return try session.finish()
        }
    }

    /// Where `GET /sync` continues; nil: from the beginning.
    func syncCursor() async throws -> String? {
        try await read { try $0.database.state(.cursor) }
    }

    func store(_ profile: Me) async throws {
        try await write { try $0.upsert(profile) }
    }

    /// People met in a search or a profile page.
    func store(_ users: [User]) async throws {
        try await write { context in
            for user in users { try context.upsert(user) }
        }
    }

    func store(_ conversation: Conversation, at now: Timestamp) async throws -> MergeOutcome {
        try await apply([.conversation(conversation)], at: now)
    }
}

/// The live events that leave a trace in the database.
enum StoredEvent: Hashable, Sendable {
    case message(Message)
    case ack(MessageAck)
    case receipt(Receipt)
    case conversation(Conversation)
    case request(FriendRequest)
    case friendship(FriendshipMade)
    case friendRemoved(Removed)
    case user(User)
    case presence(Presence)
    /// With what the `sync.request` that it answers had said. `isWhole`: nothing of the stream was lost on its way.
    case completed(SyncComplete, asked: [ID<Conversation>: SyncRequest.Held], isWhole: Bool)
}

extension MergeSession {
    fileprivate mutating func apply(_ event: StoredEvent) throws {
        switch event {
        case .message(let message): try self.message(message)
        case .ack(let ack): try self.ack(ack)
        case .receipt(let receipt): try self.receipt(receipt)
        case .conversation(let conversation): try self.conversation(conversation)
        case .request(let request): try context.upsert(request)
        case .friendship(let made):
            try context.upsert(made.request)
            try context.upsert(made.friend)
        case .friendRemoved(let removed): try context.removeFriend(removed)
        case .user(let user): try context.upsert(user)
        case .presence(let presence): try context.upsert(presence)
        case .completed(let complete, let asked, let isWhole):
            try completed(complete, asked: asked, isWhole: isWhole)
        }
    }
}

extension WriteContext {
    fileprivate func store(people page: SyncPage) throws {
        if let me = page.me { try upsert(me) }
        for user in page.users { try upsert(user) }
        for friend in page.friends { try upsert(friend) }
        for removed in page.removedFriends { try removeFriend(removed) }
        for request in page.friendRequests { try upsert(request) }
        for block in page.blocks { try upsert(block) }
        for removed in page.removedBlocks { try removeBlock(removed) }
    }
}
