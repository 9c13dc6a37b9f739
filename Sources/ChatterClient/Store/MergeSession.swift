import ChatterModel
import SQLite

/// What a merge means for the sync and the outbox.
struct MergeOutcome: Hashable, Sendable {
    /// Of the conversations that were touched.
    var standings: [ID<Conversation>: ConversationStanding] = [:]
    /// Own messages that left the outbox.
    var settled: Set<ClientMessageID> = []
    /// What the outbox held back may leave.
    var releasedSends = false
    /// A message came for a conversation that no record has described yet.
    var needsSync = false
}

/// Merges what the server says within one transaction. Conversations' numbers are loaded at the first touch and saved
/// by `finish()`, so a page of messages costs one statement a message.
struct MergeSession {
    let context: WriteContext
    let now: Timestamp
    private var ledgers: [ID<Conversation>: ConversationLedger] = [:]
    private var merges: [ID<Conversation>: MessageMerge] = [:]
    /// Where own messages came since the last flush: a watermark may have passed them already.
    private var own: [ID<Conversation>: SeqRange] = [:]
    private var outcome = MergeOutcome()

    private var database: Database { context.database }

    init(_ context: WriteContext, now: Timestamp) {
        self.context = context
        self.now = now
    }

    mutating func finish() throws -> MergeOutcome {
        for id in Array(ledgers.keys) { try flush(id) }
        return outcome
    }

    /// Saves one conversation's numbers, so that statements can be run on them.
    private mutating func flush(_ id: ID<Conversation>) throws {
        merges[id] = nil
        guard let ledger = ledgers.removeValue(forKey: id) else { return }
        try ledger.save()
        if let range = own.removeValue(forKey: id) { try context.noteTimes(of: range, in: id) }
        outcome.standings[id] = try ledger.standing.following(outcome.standings[id])
    }

    private mutating func with<T>(
        _ id: ID<Conversation>, _ body: (inout ConversationLedger) throws -> T
    ) throws -> T? {
        if ledgers[id] == nil { ledgers[id] = try ConversationLedger(id, in: context) }
        guard ledgers[id] != nil else { return nil }
        return try body(&ledgers[id]!)  // checked on the line above; in place, so that nothing is copied
    }
}

// MARK: - A new epoch

extension MergeSession {
    /// The conversation's numbers here are still the former epoch's: nothing of the server's can be merged.
    private mutating func isAwaiting(_ id: ID<Conversation>) throws -> Bool {
        try with(id) { $0.awaits != nil } ?? false
    }

    /// After its rows were made the new epoch's: its numbers.
    mutating func renumber<T>(
        _ id: ID<Conversation>, _ body: (inout ConversationLedger) throws -> T?
    ) throws -> T? {
        ledgers[id] = nil
        outcome.releasedSends = true
        return try with(id, body) ?? nil
    }
}

// MARK: - Messages

extension MergeSession {
    mutating func message(_ message: Message) throws {
        if try isAwaiting(message.conversationID) {
            return try context.heard(change: message.change, in: message.conversationID)
        }
        let id = message.conversationID
        if try with(id, { _ in }) == nil {
            try context.insertStub(for: message)
            outcome.needsSync = true
        }
        let merge: MessageMerge
        if let known = merges[id] {
            merge = known
        } else {
            merge = try MessageMerge(id, in: context)
            merges[id] = merge
        }
        let merged = try merge.merge(message)
        if let settled = merged.settled {
            outcome.settled.insert(settled)
            try context.refreshPendingActivity(id)
        }
        if merged.after.isMine, merged.before == nil {
            let seq = merged.after.seq
            let range = own[id] ?? SeqRange(from: seq, to: seq)
            own[id] = SeqRange(from: min(range.from, seq), to: max(range.to, seq))
        }
        _ = try with(id) { ledger in
            try ledger.note(merged, change: message.change, createdAt: message.createdAt)
        }
    }

    /// The answer to a send. The row is already here; should it be gone, its change is fetched like any other.
    mutating func ack(_ ack: MessageAck) throws {
        if try isAwaiting(ack.conversationID) {
            // It may be the former epoch's. The message is sent again, and answered as at first.
            return try context.heard(change: ack.change, in: ack.conversationID)
        }
        outcome.settled.insert(ack.clientMessageID)
        if let message = try context.message(acknowledgedBy: ack) {
            try self.message(message)
        } else {
            _ = try with(ack.conversationID) { ledger in
                ledger.announced(
                    lastSeq: ack.seq, lastChange: ack.change, lastActivityAt: ack.createdAt)
            }
        }
        try database.run("DELETE FROM outbox WHERE clientMessageID = ?", ack.clientMessageID.rawValue)
    }

    mutating func page(_ page: MessagePage, in id: ID<Conversation>, asked range: MessageRange, limit: Int)
        throws
    {
        if try isAwaiting(id) { return }
        for message in page.messages where message.conversationID == id { try self.message(message) }
        _ = try with(id) { ledger in
            switch range {
            case .afterChange(let asked):
                let reached = page.hasMore ? page.messages.map(\.change).max() ?? asked : page.lastChange
                ledger.caughtUp(
                    asked: asked,
                    state: SyncComplete.State(
                        change: reached, lastSeq: page.lastSeq, lastChange: page.lastChange,
                        hasMore: page.hasMore))
            case .newest:
                try ledger.loaded(SyncMachine.HistoryPage(page, before: nil, limit: limit))
            case .before(let seq):
                try ledger.loaded(SyncMachine.HistoryPage(page, before: seq, limit: limit))
            }
        }
    }

    /// The end of the stream that a `sync.request` with these held states started. One that is not whole only tells how
    /// far the server is.
    mutating func completed(
        _ complete: SyncComplete, asked: [ID<Conversation>: SyncRequest.Held], isWhole: Bool
    ) throws {
        for (id, held) in asked where try !isAwaiting(id) {
            guard let state = complete.conversations[id] else {
                try flush(id)
                try database.run("UPDATE conversations SET isGone = 1 WHERE id = ?", id.rawValue)
                continue
            }
            _ = try with(id) { ledger in
                if isWhole {
                    ledger.caughtUp(asked: held.change, state: state)
                } else {
                    ledger.announced(lastSeq: state.lastSeq, lastChange: state.lastChange)
                }
            }
        }
    }

    mutating func hidden(_ hidden: HiddenMessage) throws {
        guard let facts = try context.hide(hidden) else { return }
        _ = try with(hidden.conversationID) { $0.noteHidden(facts) }
    }
}

// MARK: - Watermarks and records

extension MergeSession {
    mutating func receipt(_ receipt: Receipt) throws {
        try flush(receipt.conversationID)
        try context.moveWatermarks(receipt)
        guard receipt.userID == context.me, try !isAwaiting(receipt.conversationID) else { return }
        _ = try with(receipt.conversationID) { try $0.read(through: receipt.lastReadSeq) }
    }

    mutating func conversation(_ record: Conversation) throws {
        try flush(record.id)
        try context.storeRecord(record)
        if try isAwaiting(record.id) {
            try context.heard(record)
            ledgers[record.id] = nil
            guard try agree(by: record) else { return try with(record.id) { _ in } ?? () }
        }
        let mine = record.members.first { $0.user.id == context.me }
        _ = try with(record.id) { ledger in
            ledger.announced(
                lastSeq: record.lastSeq, lastChange: record.lastChange, lastActivityAt: record.lastActivityAt)
        }
        if let message = record.lastMessage { try self.message(message) }
        guard let mine else { return }
        _ = try with(record.id) { ledger in
            try ledger.read(through: mine.lastReadSeq)
            try ledger.serverCounted(
                unread: Int64(record.unreadCount), readSeq: mine.lastReadSeq, lastSeq: record.lastSeq)
        }
    }
}

extension ConversationStanding {
    /// Of two looks at one conversation in one transaction, the later need and the larger delivery.
    fileprivate func following(_ earlier: ConversationStanding?) -> ConversationStanding {
        var standing = self
        standing.deliverable = [deliverable, earlier?.deliverable].compactMap { $0 }.max()
        return standing
    }
}

extension SyncMachine.HistoryPage {
    init(_ page: MessagePage, before: Int64?, limit: Int) {
        self.init(
            before: before, limit: Int64(limit), lowest: page.messages.map(\.seq).min(),
            hasMore: page.hasMore, lastSeq: page.lastSeq, lastChange: page.lastChange)
    }
}
