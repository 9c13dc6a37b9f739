import ChatterModel

extension OutboxCall {
    /// What goes over the socket while there is one.
    var frame: ClientAction? {
        switch self {
        case .send(let message): .messageSend(message)
        case .read(let watermark): .receiptRead(watermark)
        default: nil
        }
    }
}

extension ServerCalls {
    /// The call by REST.
    func perform(_ call: OutboxCall) async throws(ClientError) -> OutboxReply {
        switch call {
        case .send(let message): return .ack(try await send(message))
        case .deleteMessage(let id, let scope): return .message(try await deleteMessage(id, scope: scope))
        case .read(let watermark):
            return .receipt(
                try await moveReceipts(in: watermark.conversationID, MoveReceipts(read: watermark.seq)))
        case .editSettings(let id, let edit): return .conversation(try await editSettings(of: id, edit))
        case .editProfile(let edit): return .me(try await editProfile(edit))
        case .sendFriendRequest(let user): return .friendRequest(try await sendFriendRequest(to: user))
        case .acceptFriendRequest(let id): return .friend(try await acceptFriendRequest(id))
        case .block(let user): return .block(try await block(user))
        case .cancelFriendRequest(let id): try await cancelFriendRequest(id)
        case .declineFriendRequest(let id): try await declineFriendRequest(id)
        case .removeFriend(let user): try await removeFriend(user)
        case .unblock(let user): try await unblock(user)
        }
        return .done
    }
}
