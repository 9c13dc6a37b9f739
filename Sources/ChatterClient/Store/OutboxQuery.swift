import ChatterModel
import SQLite

extension ReadContext {
    /// Everything that has not reached the server, in the order it was made.
    func outboxItems() throws -> [OutboxItem] {
        try database.all(
            """
            SELECT id, kind, lane, clientMessageID, failureCode, attempts, nextAttemptAt, lastError, createdAt
            FROM outbox ORDER BY id
            """
        ) { row in
            OutboxItem(
                id: row.int64(0), kind: row.text(1), lane: row.text(2),
                clientMessageID: row.isNull(3) ? nil : try row.clientMessageID(3),
                state: row.optionalText(4).map { .failed(FailureReason(code: $0)) } ?? .waiting,
                attempts: row.int(5), nextAttemptAt: row.optionalTimestamp(6), lastError: row.optionalText(7),
                createdAt: row.timestamp(8))
        }
    }

    /// Waiting entries by lane.
    func queued() throws -> [String: Int] {
        var result: [String: Int] = [:]
        try database.each("SELECT lane, count(*) FROM outbox WHERE state = 'waiting' GROUP BY lane") {
            result[$0.text(0)] = $0.int(1)
        }
        return result
    }

    func failedCount() throws -> Int {
        try database.first("SELECT count(*) FROM outbox WHERE state = 'failed'") { $0.int(0) } ?? 0
    }
}

// MARK: - What the sync asks

/// What is held of one conversation, for `sync.request`.
struct HeldConversation: Hashable, Sendable {
    var id: ID<Conversation>
    var held: SyncRequest.Held
}

extension ReadContext {
    /// Every conversation whose numbers are the server's, the most recently active first.
    func heldConversations() throws -> [HeldConversation] {
        try database.all(
            """
            SELECT c.id, coalesce(min(h.fromSeq) - 1, c.topSeq), c.syncedChange
            FROM conversations c LEFT JOIN holes h ON h.conversationID = c.id
            WHERE c.isGone = 0 AND c.awaits IS NULL GROUP BY c.id ORDER BY c.lastActivityAt DESC, c.id
            """
        ) { row in
            HeldConversation(
                id: row.id(0), held: SyncRequest.Held(seq: row.int64(1), change: row.int64(2)))
        }
    }

    /// Messages known to be missing in the middle of what is loaded.
    func missingMessages() throws -> Int {
        try database.first("SELECT coalesce(sum(toSeq - fromSeq + 1), 0) FROM holes") { $0.int(0) } ?? 0
    }
}

extension Store {
    /// Where there is something to fetch or to report as delivered, by what is known before the server was asked.
    func openStandings() async throws -> [ID<Conversation>: ConversationStanding] {
        try await write { context in
            let ids: [ID<Conversation>] = try context.database.all(
                """
                SELECT id FROM conversations LEFT JOIN members ON conversationID = id AND userID = ?
                WHERE isGone = 0 AND (awaits IS NOT NULL OR syncedChange < lastChange OR topSeq > coalesce(lastDeliveredSeq, 0)
                    OR (unreadBelowFloor > 0 AND historyFloor > 1))
                """, context.me.rawValue
            ) { $0.id(0) }
            var result: [ID<Conversation>: ConversationStanding] = [:]
            for id in ids { result[id] = try context.standing(of: id) }
            return result
        }
    }

    /// The oldest seq that is here in one piece with the newest; 1: all of the history. nil: no such conversation.
    func historyFloor(of id: ID<Conversation>) async throws -> Int64? {
        try await read { context in
            try context.database.first("SELECT historyFloor FROM conversations WHERE id = ?", id.rawValue) {
                $0.int64(0)
            }
        }
    }

    func standing(of id: ID<Conversation>) async throws -> ConversationStanding? {
        try await write { try $0.standing(of: id) }
    }
}

extension WriteContext {
    fileprivate func standing(of id: ID<Conversation>) throws -> ConversationStanding? {
        try ConversationLedger(id, in: self)?.standingAtRest
    }
}
