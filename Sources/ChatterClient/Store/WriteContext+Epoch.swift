import ChatterModel
import SQLite

/// A conversation's state since the server began a new epoch; see `Schema`.
enum Awaits: String {
    case record, agreement
}

// MARK: - The new epoch begins

extension WriteContext {
    /// From now on no number of the former epoch counts: every record is taken as it comes, and each conversation waits
    /// until it is known what of it the server still has. The messages stay as they are until then.
    func startOver(_ epoch: ID<Epoch>) throws {
        try database.run("DELETE FROM syncState WHERE key = ?", StateKey.cursor.rawValue)
        try database.setState(.epoch, epoch.rawValue)
        try database.setState(.unswept, "")
        for table in [Table.users, .friends, .friendRequests, .blocks] {
            try database.run("UPDATE \(table) SET version = 0")
        }
        if var me = try reading.serverProfile() {
            me.version = 0
            try database.setState(.me, try me.storedJSON)
        }
        // One that no record has described yet is told by its version 0.
        try database.run(
            "UPDATE conversations SET version = min(version, 1), awaits = ?, heardChange = 0, heardUnread = 0",
            Awaits.record.rawValue)
        try database.run(
            "UPDATE members SET lastDeliveredSeq = 0, lastReadSeq = 0, deliveredAt = NULL, readAt = NULL")
        // Their seqs mean other messages now. What was read is told again once that is known.
        try database.run("DELETE FROM outbox WHERE kind = ?", OutboxAction.Kind.read.rawValue)
    }

    /// Every record of the new epoch is here: what the server has forgotten goes here too. But who was blocked is
    /// blocked again.
    func sweep(at now: Timestamp) throws {
        guard try database.state(.unswept) != nil else { return }
        let blocked: [ID<User>] = try database.all(
            "SELECT userID FROM blocks WHERE version = 0 AND removed = 0", map: { $0.id(0) })
        for user in blocked { try queuePerson(.block(user), at: now) }
        try database.run("UPDATE friends SET removed = 1 WHERE version = 0")
        try database.run(
            "UPDATE friendRequests SET status = ? WHERE version = 0 AND status = ?",
            FriendRequest.Status.cancelled.rawValue, FriendRequest.Status.pending.rawValue)
        try database.run("UPDATE blocks SET removed = 1 WHERE version = 0")
        try database.run("DELETE FROM syncState WHERE key = ?", StateKey.unswept.rawValue)
    }
}

// MARK: - While a conversation waits

extension ReadContext {
    /// nil: its numbers are the server's, or there is no such conversation.
    func awaits(_ conversation: String) throws -> Awaits? {
        try database.first("SELECT awaits FROM conversations WHERE id = ?", conversation) {
            $0.optionalText(0)
        }?.flatMap(Awaits.init)
    }

    /// nil when there is nothing to agree on.
    func agreementSearch(of id: ID<Conversation>) throws -> AgreementSearch? {
        try database.first(
            "SELECT historyFloor, topSeq FROM conversations WHERE id = ? AND awaits IS NOT NULL", id.rawValue
        ) { AgreementSearch(floor: $0.int64(0), top: $0.int64(1)) }
    }

    /// Where those of `messages` stand that are here.
    func places(of messages: [Message]) throws -> [ID<Message>: AgreementSearch.Place] {
        var places: [ID<Message>: AgreementSearch.Place] = [:]
        for message in messages {
            places[message.id] = try database.first(
                "SELECT seq, change FROM messages WHERE id = ? AND seq IS NOT NULL", message.id.rawValue
            ) { AgreementSearch.Place(seq: $0.int64(0), change: $0.int64(1)) }
        }
        return places
    }
}

extension WriteContext {
    /// Something of the new epoch that cannot be merged yet: it is fetched after the agreement.
    func heard(change: Int64, in id: ID<Conversation>) throws {
        try database.run(
            "UPDATE conversations SET heardChange = max(heardChange, ?) WHERE id = ?", change, id.rawValue)
    }

    /// The record is here; the messages are next.
    func heard(_ record: Conversation) throws {
        try heard(change: record.lastChange, in: record.id)
        try database.run(
            "UPDATE conversations SET awaits = ?, heardUnread = ?, lastActivityAt = ?, isLost = 0 WHERE id = ?",
            Awaits.agreement.rawValue, record.unreadCount, record.lastActivityAt.milliseconds,
            record.id.rawValue)
    }

    /// Makes the rows of a conversation the new epoch's. Answers the agreement with what was heard since it was found,
    /// and the server's count of unread messages.
    func agree(
        _ agreement: Agreement, in id: ID<Conversation>, at now: Timestamp
    ) throws -> (Agreement, unread: Int64) {
        try deleteAgain(agreement, in: id, at: now)
        try database.run(
            "UPDATE messages SET change = 0 WHERE conversationID = ? AND seq <= ? AND change > ?",
            id.rawValue,
            agreement.seq, agreement.change)
        try database.run(
            "UPDATE lostMessages SET afterSeq = min(afterSeq, ?) WHERE conversationID = ?", agreement.seq,
            id.rawValue)
        try database.run(
            """
            UPDATE members SET deliveredFrom = min(deliveredFrom, ?1), readFrom = min(readFrom, ?1)
            WHERE conversationID = ?2
            """, agreement.seq, id.rawValue)
        try takeOut(LostRange(conversation: id, above: agreement.seq), at: now)
        var agreement = agreement
        let heard = try database.first(
            """
            UPDATE conversations SET awaits = NULL, renumbered = renumbered + 1, agreedSeq = ?
            WHERE id = ? RETURNING heardChange, heardUnread
            """, agreement.seq, id.rawValue
        ) { (change: $0.int64(0), unread: $0.int64(1)) }
        agreement.lastChange = max(agreement.lastChange, heard?.change ?? 0)
        return (agreement, heard?.unread ?? 0)
    }

    /// Own messages whose deletion for everyone the server may have lost. It takes one within 48 hours.
    private func deleteAgain(
        _ agreement: Agreement, in id: ID<Conversation>, at now: Timestamp
    ) throws {
        let deleted = try database.all(
            """
            SELECT id, clientMessageID FROM messages
            WHERE conversationID = ? AND seq <= ? AND change > ? AND isMine = 1 AND deletedAt IS NOT NULL
                AND createdAt > ? ORDER BY seq
            """, id.rawValue, agreement.seq, agreement.change,
            now.advanced(by: .seconds(-48 * 3600)).milliseconds
        ) { (id: $0.optionalText(0).map { ID<Message>($0) }, key: try $0.clientMessageID(1)) }
        for message in deleted {
            let deletion = OutboxAction.MessageDeletion(
                conversationID: id, messageID: message.id, clientMessageID: message.key, scope: .everyone)
            try append(.deleteMessage(deletion), at: now)
        }
    }
}
