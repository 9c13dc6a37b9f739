import ChatterModel
import SQLite

/// The head of a lane: what may leave next.
struct OutboxHead: Hashable, Sendable {
    var id: Int64
    var lane: String
    var kind: OutboxAction.Kind
    var attempts: Int
    var faults: Int
    /// This device's clock.
    var nextAttemptAt: Timestamp?
    /// The server named that time.
    var isHeld: Bool
}

/// An entry ready to leave, with the server's names for what it is about.
enum OutboxCall: Hashable, Sendable {
    case send(SendMessage)
    case deleteMessage(ID<Message>, DeletionScope)
    case read(Watermark)
    case editSettings(ID<Conversation>, EditSettings)
    case editProfile(EditProfile)
    case sendFriendRequest(ID<User>)
    case cancelFriendRequest(ID<FriendRequest>)
    case acceptFriendRequest(ID<FriendRequest>)
    case declineFriendRequest(ID<FriendRequest>)
    case removeFriend(ID<User>)
    case block(ID<User>)
    case unblock(ID<User>)
}

/// What the server answered to an entry's call.
enum OutboxReply: Hashable, Sendable {
    case ack(MessageAck)
    case message(Message)
    case receipt(Receipt)
    case conversation(Conversation)
    case me(Me)
    case friendRequest(FriendRequest)
    case friend(Friend)
    case block(Block)
    case done

    /// It does not hold the record that the action changed.
    fileprivate var isSilent: Bool {
        switch self {
        case .done, .friend: true
        default: false
        }
    }
}

extension Store {
    /// The oldest waiting entry of each lane, but of conversations where it is not known yet what goes first.
    func outboxHeads() async throws -> [OutboxHead] {
        try await read { context in
            try context.database.all(
                """
                SELECT min(id), lane, kind, attempts, faults, nextAttemptAt, held FROM outbox
                WHERE state = 'waiting' AND lane NOT IN (SELECT id FROM conversations WHERE awaits IS NOT NULL)
                GROUP BY lane ORDER BY 1
                """
            ) { row in
                guard let kind = OutboxAction.Kind(rawValue: row.text(2)) else {
                    throw StoreError.unreadable("kind")
                }
                return OutboxHead(
                    id: row.int64(0), lane: row.text(1), kind: kind, attempts: row.int(3),
                    faults: row.int(4), nextAttemptAt: row.optionalTimestamp(5), isHeld: row.bool(6))
            }
        }
    }

    /// Counts the attempt before it is made, so that after a crash the entry is known to have perhaps arrived. nil when
    /// the entry is gone, or has nothing left to do and is removed here.
    func claim(_ id: Int64) async throws -> OutboxCall? {
        try await write { context in
            guard let entry = try context.reading.entry(id), !entry.isFailed,
                try context.reading.awaits(entry.action.lane) == nil
            else { return nil }
            guard let call = try context.call(for: entry.action) else {
                try context.remove(entry)
                return nil
            }
            try context.database.run(
                "UPDATE outbox SET attempts = attempts + 1, nextAttemptAt = NULL, held = 0 WHERE id = ?", id)
            return call
        }
    }

    /// The server's answer and the entry's removal in one commit.
    func complete(_ id: Int64, with reply: OutboxReply, at now: Timestamp) async throws -> MergeOutcome {
        try await write { context in
            guard let entry = try context.reading.entry(id),
                try context.reading.awaits(entry.action.lane) == nil
            else {
                return try context.store(reply, at: now)
            }
            let outcome = try context.store(reply, at: now)
            try context.remove(entry)
            if reply.isSilent { try context.assumeDone(entry.action) }
            return outcome
        }
    }

    /// Stays in the queue; tried again by itself at `until`, nil: with the next connection.
    func postpone(_ id: Int64, until: Timestamp?, isHeld: Bool, faults: Int, because error: String)
        async throws
    {
        try await write { context in
            try context.database.run(
                "UPDATE outbox SET nextAttemptAt = ?, held = ?, faults = ?, lastError = ? WHERE id = ?",
                until?.milliseconds, isHeld && until != nil, faults, error, id)
        }
    }

    /// Will not be tried again by itself: what it showed is undone, a message is marked with the reason.
    func markFailed(_ id: Int64, _ reason: FailureReason, because error: String) async throws {
        try await write { context in
            guard let entry = try context.reading.entry(id) else { return }
            try context.database.run(
                """
                UPDATE outbox SET state = 'failed', failureCode = ?, lastError = ?, nextAttemptAt = NULL, held = 0
                WHERE id = ?
                """, reason.code, error, id)
            try context.showFailure(of: entry.action, reason)
        }
    }

    /// The server says that things already are as the entry wants them.
    func settle(_ id: Int64) async throws {
        try await write { context in
            guard let entry = try context.reading.entry(id) else { return }
            try context.remove(entry)
            try context.assumeDone(entry.action)
        }
    }

    /// A new connection wakes what sleeps, but for what the server itself asked to wait.
    func wakeOutbox() async throws {
        try await write { context in
            try context.database.run(
                "UPDATE outbox SET nextAttemptAt = NULL WHERE nextAttemptAt IS NOT NULL AND held = 0")
        }
    }

    /// Queues a failed entry again, behind what is waiting.
    func retryEntry(_ id: Int64, at now: Timestamp) async throws {
        let entry = try await read { try $0.entry(id) }
        guard let entry, entry.isFailed else { throw StoreError.noSuchEntry }
        if case .send(let message) = entry.action { return try await retry(message.clientMessageID, at: now) }
        try await write { context in
            try context.remove(entry)
            try context.append(entry.action, at: now)
            try context.showAgain(entry.action)
        }
    }

    /// Gives an entry up and undoes what it showed.
    func discardEntry(_ id: Int64, at now: Timestamp) async throws {
        let entry = try await read { try $0.entry(id) }
        guard let entry else { throw StoreError.noSuchEntry }
        if case .send(let message) = entry.action {
            return try await discard(message.clientMessageID, at: now)
        }
        try await write { context in
            try context.remove(entry)
            try context.undo(entry.action)
        }
    }
}
