import ChatterModel
import SQLite

extension WriteContext {
    func store(_ reply: OutboxReply, at now: Timestamp) throws -> MergeOutcome {
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
    func assumeDone(_ action: OutboxAction) throws {
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
    func showFailure(of action: OutboxAction, _ reason: FailureReason) throws {
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
    func undo(_ action: OutboxAction) throws {
        switch action {
        case .editSettings(let settings): try showSettings(of: settings.conversationID)
        case .deleteMessage(let deletion): try intend(nil, deletion)
        case .send, .read, .editProfile, .sendFriendRequest, .cancelFriendRequest, .acceptFriendRequest,
            .declineFriendRequest, .removeFriend, .block, .unblock:
            break
        }
    }

    func showAgain(_ action: OutboxAction) throws {
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
