import ChatterModel

extension APIClient: ServerCalls {
    func sync(since cursor: String?) async throws(ClientError) -> SyncPage {
        let page = try await call(Routes.sync, query: ["since": cursor])
        workspace.serverTime.observe(page.serverTime)
        return page
    }

    func messages(
        in conversation: ID<Conversation>, _ range: MessageRange, limit: Int
    ) async throws(ClientError) -> MessagePage {
        let (path, limit) = (["id": conversation.rawValue], "\(limit)")
        return switch range {
        case .newest: try await call(Routes.messages, path: path, query: ["limit": limit])
        case .before(let seq):
            try await call(Routes.messages, path: path, query: ["beforeSeq": "\(seq)", "limit": limit])
        case .afterChange(let change):
            try await call(Routes.messages, path: path, query: ["afterChange": "\(change)", "limit": limit])
        }
    }

    func send(_ message: SendMessage) async throws(ClientError) -> MessageAck {
        let body = NewMessage(
            clientMessageID: message.clientMessageID, type: message.type, body: message.body,
            replyToID: message.replyToID)
        return try await call(Routes.sendMessage, body, path: ["id": message.conversationID.rawValue])
    }

    func openDirect(with user: ID<User>) async throws(ClientError) -> Conversation {
        try await call(Routes.openDirect, OpenDirect(userID: user))
    }

    func deleteMessage(_ id: ID<Message>, scope: DeletionScope) async throws(ClientError) -> Message {
        try await call(Routes.deleteMessage, path: ["id": id.rawValue], query: ["scope": scope.rawValue])
    }

    func moveReceipts(
        in conversation: ID<Conversation>, _ receipts: MoveReceipts
    ) async throws(ClientError) -> Receipt {
        try await call(Routes.moveReceipts, receipts, path: ["id": conversation.rawValue])
    }

    func editSettings(
        of conversation: ID<Conversation>, _ edit: EditSettings
    ) async throws(ClientError) -> Conversation {
        try await call(Routes.editSettings, edit, path: ["id": conversation.rawValue])
    }

    func editProfile(_ edit: EditProfile) async throws(ClientError) -> Me {
        try await call(Routes.editProfile, edit)
    }

    func sendFriendRequest(to user: ID<User>) async throws(ClientError) -> FriendRequest {
        try await call(Routes.sendFriendRequest, NewFriendRequest(userID: user))
    }

    func acceptFriendRequest(_ id: ID<FriendRequest>) async throws(ClientError) -> Friend {
        try await call(Routes.acceptFriendRequest, path: ["id": id.rawValue])
    }

    func declineFriendRequest(_ id: ID<FriendRequest>) async throws(ClientError) {
        _ = try await call(Routes.declineFriendRequest, path: ["id": id.rawValue])
    }

    func cancelFriendRequest(_ id: ID<FriendRequest>) async throws(ClientError) {
        _ = try await call(Routes.cancelFriendRequest, path: ["id": id.rawValue])
    }

    func removeFriend(_ user: ID<User>) async throws(ClientError) {
        _ = try await call(Routes.removeFriend, path: ["userId": user.rawValue])
    }

    func block(_ user: ID<User>) async throws(ClientError) -> Block {
        try await call(Routes.block, path: ["userId": user.rawValue])
    }

    func unblock(_ user: ID<User>) async throws(ClientError) {
        _ = try await call(Routes.unblock, path: ["userId": user.rawValue])
    }
}
