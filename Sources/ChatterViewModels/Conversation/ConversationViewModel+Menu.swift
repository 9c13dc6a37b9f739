import ChatterClient
import ChatterModel

// What stands in a message's menu.

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

    public func deleteTapped(_ key: MessageItem.Key, _ choice: DeleteChoice) async {
        notice = await attempt { () async throws(ClientError) in
            try await client.messages.delete(key, scope: choice == .forEveryone ? .everyone : .me)
        }
    }

    /// Only of somebody else's message that the server has: see `Bubble.canReport`.
    public func report(_ key: MessageItem.Key) -> ReportViewModel? {
        guard let item = item(key), !item.isMine, let message = item.messageID else { return nil }
        return ReportViewModel(.report("This Message")) { reason, comment in
            let problem = await attempt { () async throws(ClientError) in
                try await self.client.friends.report(
                    key.senderID, message: message, reason: reason, comment: comment)
            }
            self.notice = problem ?? ReportViewModel.thanks
        }
    }
}
