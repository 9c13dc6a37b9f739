import ChatterModel

/// What this device holds of one conversation, as numbers: which messages are here, which are missing, up to which
/// change everything is applied. It decides what to fetch and what may be called delivered.
///
/// A conversation is loaded from the top. Everything from `floor` to `top` is stored or stands in `holes`; what is
/// below the floor is history that was never loaded, and what the server has above `top` is still to come.
///
/// All holes are healed the same way: by the changes above `synced`. A message is missing only because its change was
/// not applied, so once every change is, nothing is missing, and what the server still does not give is not to be had.
struct SyncMachine: Hashable, Sendable {
    private(set) var floor: Int64
    private(set) var top: Int64
    /// All changes up to here are applied.
    private(set) var synced: Int64
    /// The largest numbers known to be given out.
    private(set) var lastSeq: Int64
    private(set) var lastChange: Int64
    /// Missing between floor and top; ascending, disjoint, never touching.
    private(set) var holes: [SeqRange]

    init(
        floor: Int64, top: Int64, synced: Int64, lastSeq: Int64, lastChange: Int64, holes: [SeqRange] = []
    ) {
        self.floor = floor
        self.top = top
        self.synced = synced
        self.lastSeq = lastSeq
        self.lastChange = lastChange
        self.holes = holes
    }

    /// A conversation met for the first time: its history is not loaded, and pages of it will come as they are then.
    static func adopting(lastSeq: Int64, lastChange: Int64) -> SyncMachine {
        SyncMachine(
            floor: lastSeq + 1, top: lastSeq, synced: lastChange, lastSeq: lastSeq, lastChange: lastChange)
    }

    /// The largest seq below which nothing is missing, history that was never loaded aside.
    var contiguous: Int64 { holes.first.map { $0.from - 1 } ?? top }

    /// What `sync.request` says of this conversation.
    var held: SyncRequest.Held { SyncRequest.Held(seq: contiguous, change: synced) }

    func with(holes: [SeqRange]) -> SyncMachine {
        var machine = self
        machine.holes = holes
        return machine
    }

    /// The newest seq that is neither here nor known to be missing, given all that is here, descending.
    func newestLost(present: [Int64]) -> Int64? {
        var here = Set(present)
        for hole in holes { here.formUnion(hole.from...hole.to) }
        var seq = top
        while seq >= floor, here.contains(seq) { seq -= 1 }
        return seq >= floor ? seq : nil
    }

    /// The server has set its numbers back: what is here and agreed on stays, everything else is still to come. Without
    /// a message in common the conversation is met for the first time.
    func agreeing(_ agreement: Agreement) -> SyncMachine {
        guard agreement.seq > 0 else {
            return .adopting(lastSeq: agreement.lastSeq, lastChange: agreement.lastChange)
        }
        let seq = agreement.seq
        return SyncMachine(
            floor: min(floor, seq + 1), top: seq, synced: min(synced, agreement.change),
            lastSeq: max(agreement.lastSeq, seq), lastChange: agreement.lastChange,
            holes: holes.compactMap { hole in
                hole.from > seq ? nil : SeqRange(from: hole.from, to: min(hole.to, seq))
            })
    }

    /// What is below counts as never loaded.
    func liftingFloor(to floor: Int64) -> SyncMachine {
        var machine = self
        machine.floor = min(max(floor, self.floor), top + 1)
        machine.holes = holes.compactMap { hole in
            hole.to < machine.floor ? nil : SeqRange(from: max(hole.from, machine.floor), to: hole.to)
        }
        return machine
    }
}

// MARK: - What comes in

extension SyncMachine {
    /// A message as an event or an answer brought it: new, changed, or an own one that was acknowledged.
    mutating func received(seq: Int64, change: Int64) {
        lastSeq = max(lastSeq, seq)
        lastChange = max(lastChange, change)
        fill(seq)
        if change == synced + 1 { synced = change }
    }

    /// The conversation's record tells how far the server is.
    mutating func announced(lastSeq: Int64, lastChange: Int64) {
        self.lastSeq = max(self.lastSeq, lastSeq)
        self.lastChange = max(self.lastChange, lastChange)
    }

    /// The end of a page asked for by `afterChange: asked`, or of the stream that a `sync.request` with that change
    /// started; its messages were received before. `reached`: all changes up to it were sent or are not to be had.
    mutating func caughtUp(asked: Int64, reached: Int64, hasMore: Bool, lastSeq: Int64, lastChange: Int64) {
        announced(lastSeq: lastSeq, lastChange: lastChange)
        // Asked for above what is applied: says nothing about what lies between.
        guard asked <= synced else { return }
        synced = max(synced, min(reached, self.lastChange))
        guard !hasMore, synced >= lastChange else { return }
        settle(from: floor, through: lastSeq)
    }

    /// A page of history; its messages were received before. Everything between the lowest message in it and the seq
    /// that was asked for is accounted for, and without `hasMore` everything below too.
    mutating func loaded(_ page: HistoryPage) {
        announced(lastSeq: page.lastSeq, lastChange: page.lastChange)
        let upper = page.before.map { $0 - 1 } ?? page.lastSeq
        // An empty page that promises more covers what was looked through for it: paging comes to an end.
        let lower = page.hasMore ? page.lowest ?? max(1, upper - page.limit + 1) : 1
        guard lower <= upper else { return }
        settle(from: lower, through: upper)
        if lower < floor, upper >= floor - 1 { floor = lower }
    }

    /// What a page of history says: `before` is the seq that was asked for, nil for the newest page.
    struct HistoryPage: Hashable, Sendable {
        var before: Int64?
        var limit: Int64
        var lowest: Int64?
        var hasMore: Bool
        var lastSeq: Int64
        var lastChange: Int64
    }

    private mutating func fill(_ seq: Int64) {
        if seq > top {
            if seq > top + 1 { holes.append(SeqRange(from: top + 1, to: seq - 1)) }
            top = seq
        } else if seq == floor - 1 {
            floor = seq
        } else {
            settle(from: seq, through: seq)
        }
    }

    /// Everything in this range is here or is not to be had.
    private mutating func settle(from lower: Int64, through upper: Int64) {
        holes = holes.flatMap { hole -> [SeqRange] in
            guard hole.from <= upper, lower <= hole.to else { return [hole] }
            var rest: [SeqRange] = []
            if hole.from < lower { rest.append(SeqRange(from: hole.from, to: lower - 1)) }
            if hole.to > upper { rest.append(SeqRange(from: upper + 1, to: hole.to)) }
            return rest
        }
        guard upper > top else { return }
        if lower > top + 1 { holes.append(SeqRange(from: top + 1, to: lower - 1)) }
        top = upper
    }
}

// MARK: - What to do about it

extension SyncMachine {
    /// What to fetch next.
    enum Need: Hashable, Sendable {
        case nothing
        /// The changes above this one.
        case changes(after: Int64)
        /// The page of history below this seq.
        case history(before: Int64)
        /// The server began a new epoch: how far both hold the same.
        case agreement
    }

    /// `delivered`: own delivered watermark as the server knows it; `unreadBelow`: unread messages below the floor.
    /// Those that no device of this account has are fetched even when nobody scrolls to them.
    func need(delivered: Int64, unreadBelow: Int64) -> Need {
        if synced < lastChange { return .changes(after: synced) }
        if unreadBelow > 0, floor > 1, floor > delivered + 1 { return .history(before: floor) }
        return .nothing
    }

    /// How far this device may say "delivered": never past a message that it does not have. nil when that is no news.
    func deliverable(delivered: Int64, unreadBelow: Int64) -> Int64? {
        guard contiguous > delivered else { return nil }
        guard unreadBelow == 0 || floor <= delivered + 1 else { return nil }
        return contiguous
    }
}
