import ChatterModel
import SQLite

/// What a person writes: from the press of "send" to the ack.
extension Store {
    /// Stores a message and its outbox entry together: either both survive a crash or neither was ever there. So does
    /// the draft that it was until now: written and sent at once is what nobody wants twice.
    package func insertPending(_ message: SendMessage, clearsDraft: Bool = false, at now: Timestamp)
        async throws
    {
        try await write { context in
            guard try context.reading.serverSettings(of: message.conversationID) != nil else {
                throw StoreError.noSuchConversation
            }
            try context.insertPending(message, at: now)
            // What was read before it was written is told before it.
            try context.hurryReceipt(message.conversationID)
            try context.append(.send(message), at: now)
            if clearsDraft { try context.removeDraft(in: message.conversationID) }
        }
    }

    /// The server has the message. Whether the ack, the event, or a page came first makes no difference.
    @discardableResult
    package func applyAck(_ ack: MessageAck, at now: Timestamp) async throws -> Bool {
        try await write { context in
            var session = MergeSession(context, now: now)
            try session.ack(ack)
            return try session.finish().settled.contains(ack.clientMessageID)
        }
    }

    /// Queues a failed message again, behind what is waiting.
    func retry(_ id: ClientMessageID, at now: Timestamp) async throws {
        try await write { context in
            guard let entry = try context.sendEntry(id), entry.isFailed else {
                throw StoreError.noSuchMessage
            }
            try context.remove(entry)
            try context.append(entry.action, at: now)
            try context.database.run(
                """
                UPDATE messages SET localStatus = 'pending', failureCode = NULL,
                    localID = (SELECT max(localID) + 1 FROM messages)
                WHERE clientMessageID = ? AND isMine = 1 AND localStatus = 'failed'
                """, id.rawValue)
        }
    }

    /// Deletes a message for oneself or for everyone; shown at once. One that never left this device vanishes without
    /// a trace, with its entry; one that may be on its way is deleted for everyone once it has arrived.
    func delete(_ key: MessageItem.Key, scope: DeletionScope, at now: Timestamp) async throws {
        try await write { context in
            guard let row = try context.deletableRow(key) else {
                guard try context.hideLost(key) else { throw StoreError.noSuchMessage }
                return
            }
            if row.messageID == nil, try context.takeBack(key.clientMessageID, in: row.conversationID) {
                return
            }
            let scope = row.messageID == nil ? .everyone : scope
            try context.intendDeletion(key, row, scope: scope, at: now)
        }
    }

    /// Removes a message that waits or failed; see `delete`.
    func discard(_ id: ClientMessageID, at now: Timestamp) async throws {
        try await delete(MessageItem.Key(senderID: me, clientMessageID: id), scope: .everyone, at: now)
    }
}

extension WriteContext {
    fileprivate func insertPending(_ message: SendMessage, at now: Timestamp) throws {
        try database.run(
            """
            INSERT INTO messages (clientMessageID, conversationID, change, senderID, isMine, type, body,
                createdAt, replyToID, localStatus)
            VALUES (?, ?, 0, ?, 1, ?, ?, ?, ?, 'pending')
            """,
            message.clientMessageID.rawValue, message.conversationID.rawValue, me.rawValue,
            message.type.rawValue, message.body, now.milliseconds, message.replyToID?.rawValue)
        try database.run(
            """
            UPDATE conversations SET pendingActivityAt = max(?, (
                SELECT 1 + max(max(lastActivityAt, coalesce(pendingActivityAt, 0))) FROM conversations))
            WHERE id = ?
            """, now.milliseconds, message.conversationID.rawValue)
    }

    func sendEntry(_ id: ClientMessageID) throws -> OutboxEntry? {
        try database.first(
            "SELECT \(OutboxEntry.columns) FROM outbox WHERE clientMessageID = ?", id.rawValue
        ) { try OutboxEntry($0) }
    }

    fileprivate struct DeletableRow {
        var conversationID: ID<Conversation>
        var messageID: ID<Message>?
        var facts: RowFacts?
    }

    fileprivate func deletableRow(_ key: MessageItem.Key) throws -> DeletableRow? {
        try database.first(
            """
            SELECT conversationID, id, seq, isMine, deletedAt IS NULL AND hidden = 0 AND deletion IS NULL
            FROM messages WHERE clientMessageID = ? AND senderID = ?
            """, key.clientMessageID.rawValue, key.senderID.rawValue
        ) { row in
            DeletableRow(
                conversationID: row.id(0), messageID: row.optionalID(1),
                facts: row.optionalInt64(2).map {
                    RowFacts(seq: $0, isMine: row.bool(3), isVisible: row.bool(4))
                })
        }
    }

    /// True when the message had not left this device, or the server had refused it.
    fileprivate func takeBack(_ id: ClientMessageID, in conversation: ID<Conversation>) throws -> Bool {
        if let entry = try sendEntry(id) {
            guard entry.isUntouched || entry.isFailed else { return false }
            try remove(entry)
        }
        try dropPending(id, in: conversation)
        return true
    }

    /// Removes the row of a message that will never be sent.
    func dropPending(_ id: ClientMessageID, in conversation: ID<Conversation>) throws {
        try database.run(
            "DELETE FROM messages WHERE clientMessageID = ? AND isMine = 1 AND seq IS NULL", id.rawValue)
        try refreshPendingActivity(conversation)
    }

    fileprivate func intendDeletion(
        _ key: MessageItem.Key, _ row: DeletableRow, scope: DeletionScope, at now: Timestamp
    ) throws {
        try database.run(
            """
            UPDATE messages SET deletion = ?1
            WHERE clientMessageID = ?2 AND senderID = ?3 AND deletion IS NOT ?1 AND hidden = 0
                AND (deletedAt IS NULL OR ?1 = 'me')
            """, scope.rawValue, key.clientMessageID.rawValue, key.senderID.rawValue)
        guard database.changes > 0 else { return }
        if let facts = row.facts, facts.isVisible,
            var ledger = try ConversationLedger(row.conversationID, in: self)
        {
            ledger.noteHidden(facts)
            try ledger.save()
        }
        let deletion = OutboxAction.MessageDeletion(
            conversationID: row.conversationID, messageID: row.messageID,
            clientMessageID: key.clientMessageID, scope: scope)
        try append(.deleteMessage(deletion), at: now)
    }
}
