import ChatterModel
import Synchronization

/// What the frames of a live connection do. Writes are queued in the order of arrival and answered by what they
/// publish; nothing here waits.
struct ChatFrames: FrameActions {
    let storage: Storage
    let typing: TypingRelay
    let sync: SyncStream
    let log: Log
    /// Connections whose sync is under way: one at a time each.
    private let syncing = ConnectionSet()

    init(storage: Storage, typing: TypingRelay, sync: SyncStream, log: Log) {
        self.storage = storage
        self.typing = typing
        self.sync = sync
        self.log = log
    }

    func messageSend(_ message: SendMessage, id: String?, from connection: LiveConnection) {
        let draft: MessageDraft
        do {
            draft = try MessageDraft(message)
        } catch {
            return connection.reject(error, id: id, clientMessageID: message.clientMessageID)
        }
        storage.enqueue { transaction in
            let ack = try SendQueries.send(
                draft, by: connection.user, origin: connection.id, in: transaction)
            transaction.publish(.messageAck(ack), id: id, toConnection: connection.id)
        } failed: { [log] error in
            connection.reject(
                .answering(error, log), id: id, clientMessageID: message.clientMessageID)
        }
    }

    func receiptDelivered(_ mark: Watermark, id: String?, from connection: LiveConnection) {
        move(MoveReceipts(delivered: mark.seq), mark.conversationID, id, connection)
    }

    func receiptRead(_ mark: Watermark, id: String?, from connection: LiveConnection) {
        move(MoveReceipts(read: mark.seq), mark.conversationID, id, connection)
    }

    private func move(
        _ marks: MoveReceipts, _ conversation: ID<Conversation>, _ id: String?, _ connection: LiveConnection
    ) {
        storage.enqueue { transaction in
            let receipt = try ReceiptQueries.move(
                marks, in: conversation, by: connection.user, origin: connection.id, in: transaction)
            transaction.publish(.receiptUpdated(receipt), id: id, toConnection: connection.id)
        } failed: { [log] error in
            connection.reject(.answering(error, log), id: id)
        }
    }

    func typing(_ typing: TypingIn, isTyping: Bool, id: String?, from connection: LiveConnection) {
        do {
            if isTyping {
                try self.typing.start(typing.conversationID, by: connection.user)
            } else {
                try self.typing.stop(typing.conversationID, by: connection.user)
            }
        } catch {
            connection.reject(.answering(error, log), id: id)
        }
    }

    func syncRequest(_ request: SyncRequest, id: String?, from connection: LiveConnection) {
        guard request.conversations.count <= Limits.syncConversations else {
            let rule = "must be at most \(Limits.syncConversations)"
            return connection.reject(.invalid("conversations", rule), id: id)
        }
        guard syncing.insert(connection.id) else {
            return connection.reject(
                APIError(.rateLimited, "a sync is under way", retryAfter: 1), id: id)
        }
        Task {
            defer { syncing.remove(connection.id) }
            do {
                try await sync.run(request, id: id, on: connection)
            } catch {
                connection.reject(.answering(error, log), id: id)
            }
        }
    }
}

private final class ConnectionSet: Sendable {
    private let connections = Mutex<Set<ConnectionID>>([])

    /// False when it is in the set already.
    func insert(_ id: ConnectionID) -> Bool { connections.withLock { $0.insert(id).inserted } }

    func remove(_ id: ConnectionID) { connections.withLock { _ = $0.remove(id) } }
}

extension APIError {
    /// What leaves the server on a socket: its own errors as they are, everything else without its words.
    static func answering(_ error: any Error, _ log: Log) -> APIError {
        if let error = error as? APIError { return error }
        log.error("frame failed", ["cause": .error(error)])
        return APIError(.internalError, "internal error")
    }
}
