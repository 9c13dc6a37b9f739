import ChatterModel
import SQLite

extension WriteContext {
    /// nil: there is nothing left to do.
    func call(for action: OutboxAction) throws -> OutboxCall? {
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
    func serverID(of deletion: OutboxAction.MessageDeletion) throws -> ID<Message>? {
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
