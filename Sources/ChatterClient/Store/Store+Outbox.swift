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
    /// The oldest waiting entry of each lane.
    func outboxHeads() async throws -> [OutboxHead] {
        try await read { context in
            try context.database.all(
                """
                SELECT min(id), lane, kind, attempts, faults, nextAttemptAt, held FROM outbox
                WHERE state = 'waiting' GROUP BY lane ORDER BY 1
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
            guard let entry = try context.reading.entry(id), !entry.isFailed else { return nil }
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
            guard let entry = try context.reading.entry(id) else {
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

// MARK: - Leaving

extension WriteContext {
    /// nil: there is nothing left to do.
    fileprivate func call(for action: OutboxAction) throws -> OutboxCall? {
        switch action {
        case .send(let message): .send(message)
        case .deleteMessage(let deletion):
            try serverID(of: deletion).map { .deleteMessage($0, deletion.scope) }
        case .read(let watermark):
            try isNews(watermark) ? .read(watermark) : nil
        case .editSettings(let settings): .editSettings(settings.conversationID, settings.edit)
        case .editProfile(let edit): .editProfile(edit)
        case .sendFriendRequest(let user): .sendFriendRequest(user)
        case .cancelFriendRequest(let user):
            try reading.pendingRequest(from: me, to: user).map { .cancelFriendRequest($0) }
        case .acceptFriendRequest(let user):
            try reading.pendingRequest(from: user, to: me).map { .acceptFriendRequest($0) }
        case .declineFriendRequest(let user):
            try reading.pendingRequest(from: user, to: me).map { .declineFriendRequest($0) }
        case .removeFriend(let user): .removeFriend(user)
        case .block(let user): .block(user)
        case .unblock(let user): .unblock(user)
        }
    }

    /// A deletion stands behind its send in the lane: when the message is not confirmed by now, it never will be.
    private func serverID(of deletion: OutboxAction.MessageDeletion) throws -> ID<Message>? {
        if let id = deletion.messageID { return id }
        return try database.first(
            "SELECT id FROM messages WHERE clientMessageID = ? AND isMine = 1",
            deletion.clientMessageID.rawValue
        ) { $0.optionalID(0) } ?? nil
    }

    private func isNews(_ watermark: Watermark) throws -> Bool {
        try database.first(
            "SELECT 1 FROM members WHERE conversationID = ? AND userID = ? AND lastReadSeq >= ?",
            watermark.conversationID.rawValue, me.rawValue, watermark.seq
        ) { _ in true } == nil
    }
}

extension ReadContext {
    func pendingRequest(from sender: ID<User>, to receiver: ID<User>) throws -> ID<FriendRequest>? {
        try database.first(
            """
            SELECT id FROM friendRequests WHERE fromID = ? AND toID = ? AND status = 'pending'
            ORDER BY version DESC
            """, sender.rawValue, receiver.rawValue
        ) { $0.id(0) }
    }
}

// MARK: - Coming back

extension WriteContext {
    fileprivate func store(_ reply: OutboxReply, at now: Timestamp) throws -> MergeOutcome {
        var session = MergeSession(self, now: now)
        switch reply {
        case .ack(let ack): try session.ack(ack)
        case .message(let message): try session.message(message)
        case .receipt(let receipt): try session.receipt(receipt)
        case .conversation(let conversation): try session.conversation(conversation)
        case .me(let me): try upsert(me)
        case .friendRequest(let request): try upsert(request)
        case .friend(let friend): try upsert(friend)
        case .block(let block): try upsert(block)
        case .done: break
        }
        return try session.finish()
    }

    /// What the answer leaves out; the record with its version comes by the sync.
    fileprivate func assumeDone(_ action: OutboxAction) throws {
        switch action {
        case .acceptFriendRequest(let user): try closeRequests(with: user, as: .accepted)
        case .declineFriendRequest(let user): try closeRequests(with: user, as: .declined)
        case .cancelFriendRequest(let user): try closeRequests(with: user, as: .cancelled)
        case .removeFriend(let user):
            try database.run("UPDATE friends SET removed = 1 WHERE userID = ?", user.rawValue)
        case .unblock(let user):
            try database.run("UPDATE blocks SET removed = 1 WHERE userID = ?", user.rawValue)
        case .deleteMessage(let deletion): try assumeDeleted(deletion)
        // Refused: what the server has is shown again.
        case .editSettings(let settings): try showSettings(of: settings.conversationID)
        case .send, .read, .editProfile, .sendFriendRequest, .block:
            break
        }
    }

    private func closeRequests(with user: ID<User>, as status: FriendRequest.Status) throws {
        try database.run(
            """
            UPDATE friendRequests SET status = ?
            WHERE status = 'pending' AND ((fromID = ?2 AND toID = ?3) OR (fromID = ?3 AND toID = ?2))
            """, status.rawValue, user.rawValue, me.rawValue)
    }

    /// The server does not have the message (any more): it stays away here too.
    private func assumeDeleted(_ deletion: OutboxAction.MessageDeletion) throws {
        guard let id = try serverID(of: deletion) else { return }
        _ = try hide(HiddenMessage(conversationID: deletion.conversationID, messageID: id))
    }

    /// Undoes what a refused action showed.
    fileprivate func showFailure(of action: OutboxAction, _ reason: FailureReason) throws {
        guard case .send(let message) = action else { return try undo(action) }
        if try dropDeletion(waitingFor: message) {
            // It was to be deleted anyway: nobody waits for it.
            try database.run(
                "DELETE FROM outbox WHERE clientMessageID = ?", message.clientMessageID.rawValue)
            return try dropPending(message.clientMessageID, in: message.conversationID)
        }
        try database.run(
            """
            UPDATE messages SET localStatus = 'failed', failureCode = ?
            WHERE clientMessageID = ? AND isMine = 1 AND seq IS NULL
            """, reason.code, message.clientMessageID.rawValue)
    }

    private func dropDeletion(waitingFor message: SendMessage) throws -> Bool {
        let waiting = try reading.entries(in: message.conversationID.rawValue).first { entry in
            guard case .deleteMessage(let deletion) = entry.action else { return false }
            return deletion.messageID == nil && deletion.clientMessageID == message.clientMessageID
        }
        guard let waiting else { return false }
        try remove(waiting)
        return true
    }

    /// What stands in no other table is shown by its entry alone and needs no undoing.
    fileprivate func undo(_ action: OutboxAction) throws {
        switch action {
        case .editSettings(let settings): try showSettings(of: settings.conversationID)
        case .deleteMessage(let deletion): try intend(nil, deletion)
        case .send, .read, .editProfile, .sendFriendRequest, .cancelFriendRequest, .acceptFriendRequest,
            .declineFriendRequest, .removeFriend, .block, .unblock:
            break
        }
    }

    fileprivate func showAgain(_ action: OutboxAction) throws {
        switch action {
        case .editSettings(let settings): try showSettings(of: settings.conversationID)
        case .deleteMessage(let deletion): try intend(deletion.scope, deletion)
        case .send, .read, .editProfile, .sendFriendRequest, .cancelFriendRequest, .acceptFriendRequest,
            .declineFriendRequest, .removeFriend, .block, .unblock:
            break
        }
    }

    private func intend(_ scope: DeletionScope?, _ deletion: OutboxAction.MessageDeletion) throws {
        guard let id = try serverID(of: deletion) else { return }
        try database.run(
            "UPDATE messages SET deletion = ? WHERE id = ? AND hidden = 0", scope?.rawValue, id.rawValue)
        guard var ledger = try ConversationLedger(deletion.conversationID, in: self) else { return }
        try ledger.recountUnread()
        try ledger.save()
    }
}
