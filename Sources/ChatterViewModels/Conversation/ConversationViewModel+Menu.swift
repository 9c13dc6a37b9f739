import ChatterClient
import ChatterModel

// What stands in a message's menu, in the chat's own, and where the composer is closed.

extension ConversationViewModel {
    private func item(_ key: MessageItem.Key) -> MessageItem? { content?.items.first { $0.id == key } }

    /// The text of a message, for the clipboard.
    public func text(of key: MessageItem.Key) -> String? {
        item(key).flatMap { $0.isDeleted ? nil : $0.body }
    }

    public func retryTapped(_ key: MessageItem.Key) async {
        notice = await attempt { () async throws(ClientError) in
            try await client.messages.retry(key.clientMessageID)
        }
    }

    public func discardTapped(_ key: MessageItem.Key) async {
        notice = await attempt { () async throws(ClientError) in
            try await client.messages.discard(key.clientMessageID)
        }
    }

    public func deleteTapped(_ key: MessageItem.Key, forEveryone: Bool) async {
        notice = await attempt { () async throws(ClientError) in
            try await client.messages.delete(key, scope: forEveryone ? .everyone : .me)
        }
    }

    /// Only somebody else's message that the server has: see `Bubble.canReport`.
    public func reportTapped(_ key: MessageItem.Key, _ reason: Report.Reason, comment: String = "") async {
        guard let item = item(key), !item.isMine, let message = item.messageID else { return }
        let problem = await attempt { () async throws(ClientError) in
            try await client.friends.report(
                key.senderID, message: message, reason: reason, comment: comment.isEmpty ? nil : comment)
        }
        notice = problem ?? "Thank you. Your report was sent."
    }

    // MARK: - Mute

    public var isMuted: Bool { list?.row(id)?.isMuted ?? false }

    public func muteTapped(_ mute: ChatsViewModel.Mute) async {
        notice = await attempt { () async throws(ClientError) in
            try await client.conversations.mute(id, for: mute.length)
        }
    }

    public func unmuteTapped() async {
        notice = await attempt { () async throws(ClientError) in
            try await client.conversations.setMuted(id, until: nil)
        }
    }

    // MARK: - A closed composer

    public func remedyTapped() async {
        guard case .closed(_, let remedy?) = composer, let peer = content?.header.peer else { return }
        let problem = await attempt { () async throws(ClientError) in
            switch remedy {
            case .unblock: try await client.friends.unblock(peer.id)
            case .askToBeFriends: try await client.friends.sendRequest(to: peer)
            }
        }
        // The chat stays closed until the answer comes.
        notice = problem ?? (remedy == .askToBeFriends ? "Friend request sent." : nil)
    }
}
