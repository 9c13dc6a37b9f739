import ChatterModel
import SQLite

extension WriteContext {
    @discardableResult
    func append(_ action: OutboxAction, at now: Timestamp, notBefore: Timestamp? = nil) throws -> Int64 {
        var clientMessageID: String?
        if case .send(let message) = action { clientMessageID = message.clientMessageID.rawValue }
        try database.run(
            """
            INSERT INTO outbox (kind, lane, clientMessageID, payload, nextAttemptAt, createdAt)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            action.kind.rawValue, action.lane, clientMessageID, try action.payload, notBefore?.milliseconds,
            now.milliseconds)
        return database.lastInsertRowID
    }

    func replace(_ entry: OutboxEntry, with action: OutboxAction) throws {
        try database.run("UPDATE outbox SET payload = ? WHERE id = ?", try action.payload, entry.id)
    }

    func remove(_ entry: OutboxEntry) throws {
        try database.run("DELETE FROM outbox WHERE id = ?", entry.id)
    }

    /// The newest entry of a lane when it has not left yet.
    func untouchedTail(of lane: String) throws -> OutboxEntry? {
        guard let tail = try reading.entries(in: lane).last, tail.isUntouched else { return nil }
        return tail
    }

    // MARK: - What melts together

    /// Receipts of one conversation melt into the largest. The server is told once things have been quiet for
    /// `ReceiptScheduler.quiet`; not while nobody knows which message the seq is at the server.
    func queueReceipt(
        _ id: ID<Conversation>, read seq: Int64, at now: Timestamp, after quiet: Duration = .zero
    )
        throws
    {
        guard try reading.awaits(id.rawValue) == nil else { return }
        let action = OutboxAction.read(Watermark(conversationID: id, seq: seq))
        // Whoever has read up to here has read what a failed one was to tell.
        for entry in try reading.entries(in: action.lane) where entry.isFailed { try remove(entry) }
        guard let tail = try untouchedTail(of: action.lane), case .read(let waiting) = tail.action else {
            try append(action, at: now, notBefore: quiet > .zero ? now.advanced(by: quiet) : nil)
            return
        }
        if waiting.seq < seq { try replace(tail, with: action) }
    }

    /// A waiting receipt does not wait for more to be read, unless the server has asked it to wait.
    func hurryReceipt(_ id: ID<Conversation>) throws {
        try database.run(
            """
            UPDATE outbox SET nextAttemptAt = NULL
            WHERE state = 'waiting' AND lane = ? AND nextAttemptAt IS NOT NULL AND held = 0
            """, OutboxAction.readLane(id))
    }

    /// Edits of one conversation's settings melt together; what ends where the server already is, vanishes.
    func queueSettings(_ edit: EditSettings, of id: ID<Conversation>, at now: Timestamp) throws {
        guard let server = try reading.serverSettings(of: id) else { throw StoreError.noSuchConversation }
        let lane = OutboxAction.settingsLane(id)
        let entries = try reading.entries(in: lane).filter { !$0.isFailed }
        var edit = edit
        if let tail = entries.last, tail.isUntouched, case .editSettings(let waiting) = tail.action {
            edit = waiting.edit.followed(by: edit)
            try remove(tail)
        }
        // Only while nothing is on its way is the server's state certain.
        if entries.allSatisfy(\.isUntouched) { edit = edit.withoutWhatHolds(in: server) }
        if edit != EditSettings() {
            try append(
                .editSettings(OutboxAction.SettingsEdit(conversationID: id, edit: edit)), at: now)
        }
        try showSettings(of: id)
    }

    /// Edits of the profile melt together. Answers the entry that carries this one; nil when it changes nothing.
    func queueProfile(_ edit: EditProfile, at now: Timestamp) throws -> Int64? {
        let entries = try reading.entries(in: OutboxAction.editProfile(edit).lane).filter { !$0.isFailed }
        var edit = edit
        if let tail = entries.last, tail.isUntouched, case .editProfile(let waiting) = tail.action {
            edit = waiting.followed(by: edit)
            try remove(tail)
        }
        if entries.allSatisfy(\.isUntouched), let me = try reading.serverProfile() {
            edit = edit.withoutWhatHolds(in: me)
        }
        return edit == EditProfile() ? nil : try append(.editProfile(edit), at: now)
    }

    /// Actions on one person: a repetition changes nothing, and an opposite that has not left takes both away.
    func queuePerson(_ action: OutboxAction, at now: Timestamp) throws {
        if let tail = try reading.entries(in: action.lane).last, !tail.isFailed {
            if tail.action == action { return }
            if tail.isUntouched, tail.action.isUndone(by: action) { return try remove(tail) }
            if tail.isUntouched, tail.action.isReplaced(by: action) { try remove(tail) }
        }
        try append(action, at: now)
    }
}

extension OutboxAction {
    fileprivate func isUndone(by other: OutboxAction) -> Bool {
        switch (kind, other.kind) {
        case (.block, .unblock), (.unblock, .block), (.sendFriendRequest, .cancelFriendRequest),
            (.cancelFriendRequest, .sendFriendRequest):
            true
        default: false
        }
    }

    /// The person has changed their mind about the same request.
    fileprivate func isReplaced(by other: OutboxAction) -> Bool {
        switch (kind, other.kind) {
        case (.acceptFriendRequest, .declineFriendRequest), (.declineFriendRequest, .acceptFriendRequest):
            true
        default: false
        }
    }
}

extension ReadContext {
    /// In the order in which they leave.
    func entries(in lane: String) throws -> [OutboxEntry] {
        try database.all("SELECT \(OutboxEntry.columns) FROM outbox WHERE lane = ? ORDER BY id", lane) {
            try OutboxEntry($0)
        }
    }

    func entry(_ id: Int64) throws -> OutboxEntry? {
        try database.first("SELECT \(OutboxEntry.columns) FROM outbox WHERE id = ?", id) {
            try OutboxEntry($0)
        }
    }

    func waitingSettings(of id: ID<Conversation>) throws -> [EditSettings] {
        try entries(in: OutboxAction.settingsLane(id)).filter { !$0.isFailed }.compactMap { entry in
            if case .editSettings(let settings) = entry.action { settings.edit } else { nil }
        }
    }

    func waitingProfileEdits() throws -> [EditProfile] {
        try entries(in: OutboxAction.editProfile(EditProfile()).lane).filter { !$0.isFailed }
            .compactMap { entry in
                if case .editProfile(let edit) = entry.action { edit } else { nil }
            }
    }
}

extension EditSettings {
    func followed(by later: EditSettings) -> EditSettings {
        let touchesMute = later.unmute == true || later.mutedUntil != nil
        return EditSettings(
            mutedUntil: touchesMute ? later.mutedUntil : mutedUntil,
            unmute: touchesMute ? later.unmute : unmute, archived: later.archived ?? archived,
            pinned: later.pinned ?? pinned)
    }

    func withoutWhatHolds(in settings: ConversationSettings) -> EditSettings {
        var edit = self
        if unmute == true, settings.mutedUntil == nil { edit.unmute = nil }
        if mutedUntil == settings.mutedUntil { edit.mutedUntil = nil }
        if archived == settings.archived { edit.archived = nil }
        if pinned == settings.pinned { edit.pinned = nil }
        return edit
    }
}

extension EditProfile {
    func followed(by later: EditProfile) -> EditProfile {
        EditProfile(
            displayName: later.displayName ?? displayName, username: later.username ?? username,
            about: later.about ?? about, lastSeenVisibility: later.lastSeenVisibility ?? lastSeenVisibility)
    }

    func withoutWhatHolds(in me: Me) -> EditProfile {
        EditProfile(
            displayName: displayName == me.displayName ? nil : displayName,
            username: username == me.username ? nil : username, about: about == me.about ? nil : about,
            lastSeenVisibility: lastSeenVisibility == me.lastSeenVisibility ? nil : lastSeenVisibility)
    }
}

extension Me {
    mutating func apply(_ edit: EditProfile) {
        displayName = edit.displayName ?? displayName
        username = edit.username ?? username
        about = edit.about ?? about
        lastSeenVisibility = edit.lastSeenVisibility ?? lastSeenVisibility
        profileComplete = displayName != nil && username != nil
    }
}
