import ChatterModel
import SQLite

/// The store and a server that was set back to a backup.
extension Store {
    /// The server counts by `epoch` now. To be done before anything of it is merged.
    func startOver(_ epoch: ID<Epoch>) async throws {
        try await write { try $0.startOver(epoch) }
        self.epoch.current = epoch
    }

    /// nil when there is nothing to agree on.
    func agreementSearch(of id: ID<Conversation>) async throws -> AgreementSearch? {
        try await read { try $0.agreementSearch(of: id) }
    }

    func places(of messages: [Message]) async throws -> [ID<Message>: AgreementSearch.Place] {
        try await read { try $0.places(of: messages) }
    }

    /// Takes the conversation over into the new epoch; nothing happens when that was done before.
    func agree(
        _ agreement: Agreement, in id: ID<Conversation>, at now: Timestamp
    ) async throws -> MergeOutcome {
        try await write { context in
            var session = MergeSession(context, now: now)
            if try context.reading.awaits(id.rawValue) != nil { try session.agree(agreement, in: id) }
            return try session.finish()
        }
    }
}

extension MergeSession {
    mutating func agree(_ agreement: Agreement, in id: ID<Conversation>) throws {
        let (agreement, unread) = try context.agree(agreement, in: id, at: now)
        let read = try renumber(id) { try $0.agree(agreement, unread: unread) }
        if let read { try context.queueReceipt(id, read: read, at: now) }
    }

    /// Agrees by the record alone when it names the newest message and that is here. False: the history must tell.
    mutating func agree(by record: Conversation) throws -> Bool {
        let newest = record.lastMessage.map { [$0] } ?? []
        guard newest.last?.seq ?? 0 == record.lastSeq,
            var search = try context.reading.agreementSearch(of: record.id)
        else { return false }
        let page = MessagePage(
            messages: newest, hasMore: !newest.isEmpty, lastSeq: record.lastSeq,
            lastChange: record.lastChange)
        search.compare(page, with: try context.reading.places(of: newest))
        guard let found = search.found else { return false }
        try agree(found, in: record.id)
        return true
    }
}

// MARK: - Chats that the server lost as a whole

/// A conversation that the server does not have any more.
struct LostChat: Hashable, Sendable {
    var id: ID<Conversation>
    /// The friend to go on with; nil: there is none.
    var peer: ID<User>?
}

extension Store {
    /// Once every record of the new epoch is here: those whose own did not come, and those given up before whose other
    /// person is a friend again.
    func lostChats() async throws -> [LostChat] {
        try await read { context in
            guard try context.database.state(.unswept) == nil else { return [] }
            return try context.database.all(
                """
                SELECT c.id, f.userID FROM conversations c
                LEFT JOIN friends f ON f.userID = c.peerID AND f.removed = 0 AND c.type = 'direct'
                    AND EXISTS (SELECT 1 FROM messages m WHERE m.conversationID = c.id)
                WHERE c.awaits = ? OR c.isLost = 1 AND f.userID IS NOT NULL ORDER BY c.id
                """, Awaits.record.rawValue
            ) { LostChat(id: $0.id(0), peer: $0.optionalID(1)) }
        }
    }

    /// It stays to be read until the two are friends again; what waits there fails.
    func giveUp(_ id: ID<Conversation>) async throws {
        try await write { context in
            try context.database.run(
                "UPDATE conversations SET awaits = NULL, isGone = 1, isLost = 1 WHERE id = ?", id.rawValue)
        }
    }

    /// Everything of a lost conversation goes on in another.
    func move(
        _ id: ID<Conversation>, to record: Conversation, at now: Timestamp
    ) async throws -> MergeOutcome {
        try await write { context in
            var session = MergeSession(context, now: now)
            try session.conversation(record)
            if record.id != id { try session.move(id, to: record.id) }
            return try session.finish()
        }
    }
}

extension MergeSession {
    fileprivate mutating func move(_ id: ID<Conversation>, to target: ID<Conversation>) throws {
        try context.moveWaiting(from: id, to: target)
        try context.takeOut(LostRange(conversation: id, above: 0, target: target), at: now)
        try context.moveRest(from: id, to: target)
        _ = try renumber(target) { _ in Optional<Int64>.none }
    }
}
