import ChatterModel
import SQLite

/// What a person does besides writing messages: stored at once, queued for the server in the same commit.
extension Store {
    /// Moves one's own read watermark, never over a message that is not here; the receipt leaves once things have been
    /// quiet for `quiet`.
    func markRead(
        _ id: ID<Conversation>, upTo seq: Int64, at now: Timestamp, quiet: Duration = .zero
    ) async throws {
        try await write { context in
            guard var ledger = try ConversationLedger(id, in: context) else {
                throw StoreError.noSuchConversation
            }
            let before = ledger.readSeq
            try ledger.read(through: min(seq, ledger.sync.contiguous))
            guard ledger.readSeq > before else { return }
            try ledger.save()
            try context.queueReceipt(id, read: ledger.readSeq, at: now, after: quiet)
        }
    }

    /// Marks read what is here in one piece, for a conversation on screen. Answers whether that is news for the server.
    func markVisibleRead(_ id: ID<Conversation>, at now: Timestamp, quiet: Duration) async throws -> Bool {
        try await write { context in
            guard var ledger = try ConversationLedger(id, in: context), ledger.unread > 0 else {
                return false
            }
            let before = ledger.readSeq
            try ledger.read(through: ledger.sync.contiguous)
            guard ledger.readSeq > before else { return false }
            try ledger.save()
            try context.queueReceipt(id, read: ledger.readSeq, at: now, after: quiet)
            return true
        }
    }

    func edit(_ edit: EditSettings, of id: ID<Conversation>, at now: Timestamp) async throws {
        try await write { try $0.queueSettings(edit, of: id, at: now) }
    }

    /// Answers the outbox entry that carries the edit; nil when it changes nothing.
    func edit(_ edit: EditProfile, at now: Timestamp) async throws -> Int64? {
        try await write { try $0.queueProfile(edit, at: now) }
    }

    func sendFriendRequest(to user: User, at now: Timestamp) async throws {
        try await write { context in
            try context.upsert(user)
            try context.queuePerson(.sendFriendRequest(user.id), at: now)
        }
    }

    func cancelFriendRequest(to user: ID<User>, at now: Timestamp) async throws {
        try await queue(.cancelFriendRequest(user), at: now)
    }

    func acceptFriendRequest(from user: ID<User>, at now: Timestamp) async throws {
        try await queue(.acceptFriendRequest(user), at: now)
    }

    func declineFriendRequest(from user: ID<User>, at now: Timestamp) async throws {
        try await queue(.declineFriendRequest(user), at: now)
    }

    func removeFriend(_ user: ID<User>, at now: Timestamp) async throws {
        try await queue(.removeFriend(user), at: now)
    }

    func block(_ user: ID<User>, at now: Timestamp) async throws { try await queue(.block(user), at: now) }

    func unblock(_ user: ID<User>, at now: Timestamp) async throws {
        try await queue(.unblock(user), at: now)
    }

    private func queue(_ action: OutboxAction, at now: Timestamp) async throws {
        try await write { try $0.queuePerson(action, at: now) }
    }

    /// "" when there is none.
    func draft(in id: ID<Conversation>) async throws -> String {
        try await read { context in
            try context.database.first("SELECT text FROM drafts WHERE conversationID = ?", id.rawValue) {
                $0.text(0)
            } ?? ""
        }
    }

    /// "" removes it.
    func setDraft(_ text: String, in id: ID<Conversation>, at now: Timestamp) async throws {
        try await write { context in
            guard !text.isEmpty else { return try context.removeDraft(in: id) }
            try context.database.run(
                """
                INSERT INTO drafts VALUES (?, ?, ?)
                ON CONFLICT (conversationID) DO UPDATE SET text = excluded.text, updatedAt = excluded.updatedAt
                """, id.rawValue, text, now.milliseconds)
        }
    }
}

extension WriteContext {
    func removeDraft(in id: ID<Conversation>) throws {
        try database.run("DELETE FROM drafts WHERE conversationID = ?", id.rawValue)
    }
}
