import ChatterModel
import SQLite

extension WriteContext {
    /// A conversation that only a message tells of: it is shown once a record describes it. Until then everything below
    /// may be unread and on no device, so nothing is reported as delivered.
    func insertStub(for message: Message) throws {
        try database.run(
            """
            INSERT INTO conversations (id, type, lastSeq, lastChange, topSeq, syncedChange, historyFloor,
                unreadBelowFloor, createdAt, lastActivityAt, version)
            VALUES (?1, 'direct', ?2, ?3, ?2, ?3, ?2 + 1, ?2, ?4, ?4, 0)
            """, message.conversationID.rawValue, message.seq, message.change,
            message.createdAt.milliseconds)
    }

    /// Inserts or updates the record and its members. Messages, read watermark and counts are the ledger's.
    func storeRecord(_ record: Conversation) throws {
        for member in record.members { try upsert(member.user) }
        let stored = try database.first(
            "SELECT version FROM conversations WHERE id = ?", record.id.rawValue
        ) { $0.int64(0) }
        if let stored {
            try moveMembers(of: record)
            guard record.version >= stored else { return }
            try updateRecord(record)
        } else {
            try insertRecord(record)
        }
        try replaceMembers(of: record)
        // Messages that came before any record did.
        if stored == 0 { try noteTimes(of: SeqRange(from: 1, to: record.lastSeq), in: record.id) }
        try adoptSettings(record.settings, of: record.id)
    }

    private func insertRecord(_ record: Conversation) throws {
        let sync = SyncMachine.adopting(lastSeq: record.lastSeq, lastChange: record.lastChange)
        try database.run(
            """
            INSERT INTO conversations (id, type, title, avatarURL, peerID, lastSeq, lastChange, topSeq,
                syncedChange, historyFloor, createdAt, lastActivityAt, version)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            record.id.rawValue, record.type.rawValue, record.title, record.avatarURL,
            record.peer(of: me)?.rawValue, sync.lastSeq, sync.lastChange, sync.top, sync.synced, sync.floor,
            record.createdAt.milliseconds, record.lastActivityAt.milliseconds, record.version)
    }

    private func updateRecord(_ record: Conversation) throws {
        try database.run(
            """
            UPDATE conversations SET type = ?, title = ?, avatarURL = ?, peerID = ?, createdAt = ?, version = ?,
                isGone = 0
            WHERE id = ?
            """,
            record.type.rawValue, record.title, record.avatarURL, record.peer(of: me)?.rawValue,
            record.createdAt.milliseconds, record.version, record.id.rawValue)
    }

    /// Watermarks only move forward, whatever the record's version.
    private func moveMembers(of record: Conversation) throws {
        for member in record.members {
            try moveWatermarks(
                Receipt(
                    conversationID: record.id, userID: member.user.id,
                    lastDeliveredSeq: member.lastDeliveredSeq, lastReadSeq: member.lastReadSeq,
                    deliveredAt: member.deliveredAt, readAt: member.readAt))
        }
    }

    private func replaceMembers(of record: Conversation) throws {
        for member in record.members {
            try database.run(
                """
                INSERT INTO members (conversationID, userID, role, lastDeliveredSeq, lastReadSeq, joinedSeq,
                    undelivered, deliveredAt, readAt, deliveredFrom, readFrom)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, max(?4 - 1, 0), max(?5 - 1, 0))
                ON CONFLICT (conversationID, userID) DO UPDATE SET role = excluded.role,
                    joinedSeq = excluded.joinedSeq, undelivered = excluded.undelivered
                """,
                record.id.rawValue, member.user.id.rawValue, member.role.rawValue,
                max(member.lastDeliveredSeq, member.lastReadSeq), member.lastReadSeq, member.joinedSeq,
                member.undelivered.isEmpty ? "[]" : try member.undelivered.storedJSON,
                member.deliveredAt?.milliseconds, member.readAt?.milliseconds)
        }
        let present = try record.members.map(\.user.id.rawValue).storedJSON
        try database.run(
            """
            DELETE FROM members
            WHERE conversationID = ? AND userID NOT IN (SELECT value FROM json_each(?))
            """, record.id.rawValue, present)
    }

    /// Pending and failed messages keep their chat on top, whatever this device's clock says.
    func refreshPendingActivity(_ id: ID<Conversation>) throws {
        try database.run(
            """
            UPDATE conversations SET pendingActivityAt = NULL
            WHERE id = ?1 AND pendingActivityAt IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM messages WHERE conversationID = ?1 AND seq IS NULL)
            """, id.rawValue)
    }
}

// MARK: - Settings

extension WriteContext {
    /// The server's settings are shown, but for those that this device has changed and not yet sent.
    func adoptSettings(_ settings: ConversationSettings, of id: ID<Conversation>) throws {
        try database.run(
            "UPDATE conversations SET serverMutedUntil = ?, serverArchived = ?, serverPinned = ? WHERE id = ?",
            settings.mutedUntil?.milliseconds, settings.archived, settings.pinned, id.rawValue)
        try showSettings(of: id)
    }

    /// Shows the server's settings with the waiting edits on top.
    func showSettings(of id: ID<Conversation>) throws {
        guard var settings = try reading.serverSettings(of: id) else { return }
        for edit in try reading.waitingSettings(of: id) { settings.apply(edit) }
        try database.run(
            "UPDATE conversations SET mutedUntil = ?, archived = ?, pinned = ? WHERE id = ?",
            settings.mutedUntil?.milliseconds, settings.archived, settings.pinned, id.rawValue)
    }
}

extension ReadContext {
    func serverSettings(of id: ID<Conversation>) throws -> ConversationSettings? {
        try database.first(
            "SELECT serverMutedUntil, serverArchived, serverPinned FROM conversations WHERE id = ?",
            id.rawValue
        ) { row in
            ConversationSettings(
                mutedUntil: row.optionalTimestamp(0), archived: row.bool(1), pinned: row.bool(2))
        }
    }

    /// Whether others wrote something in this range.
    func hasOthers(in id: ID<Conversation>, above lower: Int64, through upper: Int64) throws -> Bool {
        try database.first(
            "SELECT 1 FROM messages WHERE conversationID = ? AND seq > ? AND seq <= ? AND isMine = 0 LIMIT 1",
            id.rawValue, lower, upper
        ) { _ in true } ?? false
    }
}

extension ConversationSettings {
    mutating func apply(_ edit: EditSettings) {
        if edit.unmute == true {
            mutedUntil = nil
        } else if let until = edit.mutedUntil {
            mutedUntil = until
        }
        archived = edit.archived ?? archived
        pinned = edit.pinned ?? pinned
    }
}

extension Conversation {
    /// The other person of a direct chat.
    func peer(of me: ID<User>) -> ID<User>? {
        type == .direct ? members.first { $0.user.id != me }?.user.id : nil
    }
}
