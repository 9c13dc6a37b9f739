import ChatterModel
import SQLite

/// One conversation's numbers within a transaction: loaded once, moved by each message, saved once.
struct ConversationLedger {
    let id: ID<Conversation>
    private let context: WriteContext
    private let original: Numbers
    private var numbers: Numbers
    /// Set while the numbers are a former epoch's.
    let awaits: Awaits?
    /// Own read watermark as the server knows it.
    private let serverRead: Int64
    /// Own delivered watermark as the server knows it; nil while no record has described the conversation.
    private let serverDelivered: Int64?
    /// The largest seq by others that came through this ledger.
    private var newestByOthers: Int64 = 0

    struct Numbers: Hashable {
        var sync: SyncMachine
        var readSeq: Int64
        var unreadLoaded: Int64
        var unreadBelow: Int64
        var lastActivityAt: Timestamp
    }

    var sync: SyncMachine { numbers.sync }
    var readSeq: Int64 { numbers.readSeq }
    var unread: Int64 { numbers.unreadLoaded + numbers.unreadBelow }

    /// nil when the conversation is not known.
    init?(_ id: ID<Conversation>, in context: WriteContext) throws {
        let row = try context.database.first(
            """
            SELECT historyFloor, topSeq, syncedChange, lastSeq, lastChange, myReadSeq, unreadLoaded,
                   unreadBelowFloor, lastActivityAt, lastDeliveredSeq, coalesce(lastReadSeq, 0),
                   awaits
            FROM conversations
            LEFT JOIN members ON conversationID = id AND userID = ?2
            WHERE id = ?1
            """, id.rawValue, context.me.rawValue
        ) { row in
            let sync = SyncMachine(
                floor: row.int64(0), top: row.int64(1), synced: row.int64(2), lastSeq: row.int64(3),
                lastChange: row.int64(4))
            let numbers = Numbers(
                sync: sync, readSeq: row.int64(5), unreadLoaded: row.int64(6), unreadBelow: row.int64(7),
                lastActivityAt: row.timestamp(8))
            return (
                numbers: numbers, delivered: row.optionalInt64(9), read: row.int64(10),
                awaits: row.optionalText(11).flatMap(Awaits.init)
            )
        }
        guard var row else { return nil }
        let holes = try context.database.all(
            "SELECT fromSeq, toSeq FROM holes WHERE conversationID = ? ORDER BY fromSeq", id.rawValue
        ) { SeqRange(from: $0.int64(0), to: $0.int64(1)) }
        row.numbers.sync = row.numbers.sync.with(holes: holes)
        self.id = id
        self.context = context
        (original, numbers) = (row.numbers, row.numbers)
        (serverDelivered, serverRead, awaits) = (row.delivered, row.read, row.awaits)
        try read(through: row.read)
    }

    func save() throws {
        guard numbers != original else { return }
        let sync = numbers.sync
        try context.database.run(
            """
            UPDATE conversations SET historyFloor = ?, topSeq = ?, syncedChange = ?, lastSeq = ?, lastChange = ?,
                myReadSeq = ?, unreadLoaded = ?, unreadBelowFloor = ?, lastActivityAt = ?
            WHERE id = ?
            """, sync.floor, sync.top, sync.synced, sync.lastSeq, sync.lastChange, numbers.readSeq,
            numbers.unreadLoaded, numbers.unreadBelow, numbers.lastActivityAt.milliseconds, id.rawValue)
        guard sync.holes != original.sync.holes else { return }
        try context.database.run("DELETE FROM holes WHERE conversationID = ?", id.rawValue)
        for hole in sync.holes {
            try context.database.run("INSERT INTO holes VALUES (?, ?, ?)", id.rawValue, hole.from, hole.to)
        }
    }

    /// What follows for the sync, after `save`.
    var standing: ConversationStanding {
        get throws { try standing { try deliverable(above: $0) } }
    }

    /// The same without anything having come.
    var standingAtRest: ConversationStanding {
        get throws {
            try standing { delivered in
                let seq = sync.deliverable(delivered: delivered, unreadBelow: numbers.unreadBelow)
                guard let seq else { return nil }
                return try context.reading.hasOthers(in: id, above: delivered, through: seq) ? seq : nil
            }
        }
    }

    /// Without a record nobody knows what below the first message was read or is on another device: nothing there is
    /// fetched, and nothing reported.
    private func standing(
        deliverable: (_ delivered: Int64) throws -> Int64?
    ) rethrows -> ConversationStanding {
        if let awaits { return ConversationStanding(need: awaits == .agreement ? .agreement : .nothing) }
        guard let serverDelivered else {
            return ConversationStanding(need: sync.need(delivered: 0, unreadBelow: 0), deliverable: nil)
        }
        return ConversationStanding(
            need: sync.need(delivered: serverDelivered, unreadBelow: numbers.unreadBelow),
            deliverable: try deliverable(serverDelivered))
    }

    /// Only what others wrote is worth a receipt.
    private func deliverable(above delivered: Int64) throws -> Int64? {
        let seq = sync.deliverable(delivered: delivered, unreadBelow: numbers.unreadBelow)
        guard let seq else { return nil }
        if newestByOthers > delivered, newestByOthers <= seq { return seq }
        // Something that came earlier may have become contiguous now.
        let isUncovered = sync.holes != original.sync.holes || sync.floor != original.sync.floor
        guard isUncovered || newestByOthers > 0 else { return nil }
        return try context.reading.hasOthers(in: id, above: delivered, through: seq) ? seq : nil
    }
}

/// What the sync has to do about a conversation after a merge.
struct ConversationStanding: Hashable, Sendable {
    var need: SyncMachine.Need
    /// The seq to report as delivered, when that is news and somebody waits for it.
    var deliverable: Int64?

    init(need: SyncMachine.Need, deliverable: Int64? = nil) {
        self.need = need
        self.deliverable = deliverable
    }
}

// MARK: - What moves the numbers

extension ConversationLedger {
    /// Takes note of a row that a message was merged into.
    mutating func note(_ merged: MergedRow, change: Int64, createdAt: Timestamp) throws {
        let floor = sync.floor
        let isNews = change > sync.synced
        let seq = merged.after.seq
        numbers.sync.received(seq: seq, change: change)
        numbers.lastActivityAt = max(numbers.lastActivityAt, createdAt)
        if !merged.after.isMine { newestByOthers = max(newestByOthers, seq) }
        if seq >= floor {
            recount(before: merged.before, after: merged.after)
        } else if isNews, !merged.after.isMine, seq > readSeq, !merged.after.isVisible,
            merged.before?.isVisible ?? true
        {
            // The server counted it until it was deleted.
            numbers.unreadBelow = max(0, numbers.unreadBelow - 1)
        }
        try countNewlyLoaded(from: floor)
    }

    /// A row that is here was hidden, by this device or another of this account.
    mutating func noteHidden(_ before: RowFacts) {
        guard before.seq >= sync.floor else { return }
        var after = before
        after.isVisible = false
        recount(before: before, after: after)
    }

    /// After rows were changed behind the ledger's back.
    mutating func recountUnread() throws {
        numbers.unreadLoaded = try countUnread(from: sync.floor)
    }

    private mutating func recount(before: RowFacts?, after: RowFacts) {
        let wasUnread = before?.isUnread(above: readSeq) ?? false
        let isUnread = after.isUnread(above: readSeq)
        numbers.unreadLoaded += (isUnread ? 1 : 0) - (wasUnread ? 1 : 0)
    }

    mutating func announced(lastSeq: Int64, lastChange: Int64, lastActivityAt: Timestamp) {
        numbers.sync.announced(lastSeq: lastSeq, lastChange: lastChange)
        numbers.lastActivityAt = max(numbers.lastActivityAt, lastActivityAt)
    }

    mutating func announced(lastSeq: Int64, lastChange: Int64) {
        numbers.sync.announced(lastSeq: lastSeq, lastChange: lastChange)
    }

    mutating func caughtUp(asked: Int64, state: SyncComplete.State) {
        numbers.sync.caughtUp(
            asked: asked, reached: state.change, hasMore: state.hasMore, lastSeq: state.lastSeq,
            lastChange: state.lastChange)
    }

    mutating func loaded(_ page: SyncMachine.HistoryPage) throws {
        let floor = sync.floor
        numbers.sync.loaded(page)
        try countNewlyLoaded(from: floor)
    }

    /// Own read watermark, from any device; only moves forward. The server's may be above what has come here: what comes
    /// later up to there was read elsewhere.
    mutating func read(through seq: Int64) throws {
        guard seq > readSeq else { return }
        numbers.readSeq = seq
        if numbers.unreadLoaded > 0 { numbers.unreadLoaded = try countUnread(from: sync.floor) }
        numbers.unreadBelow = min(numbers.unreadBelow, mostUnreadBelow)
    }

    /// The server's count, the only source for what is below the floor. `readSeq`: own watermark it was counted with.
    mutating func serverCounted(unread: Int64, readSeq: Int64, lastSeq: Int64) throws {
        guard sync.floor > 1, lastSeq >= sync.floor - 1 else { return }
        let loaded =
            lastSeq >= sync.top
            ? numbers.unreadLoaded : try countUnread(from: sync.floor, below: lastSeq + 1)
        let below = min(max(0, unread - loaded), mostUnreadBelow)
        // Counted before or after what is known here, it is still the most: down there only fewer become unread.
        let isExact = readSeq == self.readSeq && lastSeq == sync.contiguous
        numbers.unreadBelow = isExact ? below : min(numbers.unreadBelow, below)
    }

    /// How many of them were read only the server knows; there cannot be more than there are seqs.
    private var mostUnreadBelow: Int64 { max(0, sync.floor - 1 - readSeq) }

    /// The rows are the new epoch's now. `unread`: the server's count. Answers own read watermark when that is news to it.
    mutating func agree(_ agreement: Agreement, unread: Int64) throws -> Int64? {
        numbers.sync = sync.agreeing(agreement)
        numbers.readSeq = max(min(readSeq, agreement.seq), serverRead)
        numbers.unreadLoaded = try countUnread(from: sync.floor)
        let below = agreement.seq > 0 ? numbers.unreadBelow : unread
        numbers.unreadBelow = min(below, mostUnreadBelow)
        return readSeq > serverRead ? readSeq : nil
    }

    /// After a damaged file was salvaged: what is below was lost in part, and is history to load again.
    mutating func liftFloor(to floor: Int64) throws {
        let unread = unread
        numbers.sync = numbers.sync.liftingFloor(to: floor)
        numbers.unreadLoaded = try countUnread(from: sync.floor)
        numbers.unreadBelow = min(max(0, unread - numbers.unreadLoaded), mostUnreadBelow)
    }

    private mutating func countNewlyLoaded(from oldFloor: Int64) throws {
        guard sync.floor < oldFloor else { return }
        if oldFloor - 1 > readSeq {
            let found = try countUnread(from: sync.floor, below: oldFloor)
            numbers.unreadLoaded += found
            numbers.unreadBelow = max(0, numbers.unreadBelow - found)
        }
        numbers.unreadBelow = min(numbers.unreadBelow, mostUnreadBelow)
    }

    private func countUnread(from floor: Int64, below: Int64 = .max) throws -> Int64 {
        try context.database.first(
            """
            SELECT count(*) FROM messages
            WHERE conversationID = ? AND seq >= ? AND seq < ? AND isMine = 0 AND deletedAt IS NULL
                AND hidden = 0 AND deletion IS NULL
            """, id.rawValue, max(floor, readSeq + 1), below
        ) { $0.int64(0) } ?? 0
    }
}
