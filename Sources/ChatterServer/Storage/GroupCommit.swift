import ChatterModel
import Foundation
import SQLite
import Synchronization

/// Turns a group of jobs into one durable transaction, then hands out its events and answers.
///
/// A job that throws before it wrote anything is simply left out. When one throws after it wrote, the group is
/// rolled back and run again with a savepoint around each job: the common case pays for no savepoints.
final class GroupCommit: @unchecked Sendable {
    // Everything but `shared` is used by the writing thread only.
    private let database: Database
    private let clock: any ServerClock
    private let log: Log
    private let deliver: @Sendable ([Outgoing]) -> Void
    private var ids: IDSource
    private var positions: Positions
    private var isFailing = false
    private let checkpoints: Checkpoints

    private struct Shared {
        var statistics = GroupStatistics()
        var isClosed = false
        var onClose: (@Sendable () -> Void)?
    }
    private let shared = Mutex(Shared())

    init(
        database: Database, clock: any ServerClock, random: any RandomBytes, checkpoints: Checkpoints,
        log: Log, deliver: @escaping @Sendable ([Outgoing]) -> Void
    ) throws {
        self.checkpoints = checkpoints
        self.database = database
        self.clock = clock
        self.log = log
        self.deliver = deliver
        ids = IDSource(random: random)
        positions = try Positions(database: database)
        // The undo copies of a savepoint stay in memory.
        try database.run("PRAGMA temp_store = MEMORY")
        // What is deleted for everyone must not stay in the file between rows, nor go into a backup.
        try database.run("PRAGMA secure_delete = ON")
        // By itself SQLite would move the whole log during the commit that fills it, and its jobs would wait.
        try database.run("PRAGMA wal_autocheckpoint = 0")
    }

    var statistics: GroupStatistics { shared.withLock { $0.statistics } }

    func commit(_ jobs: [GroupWriter.Job]) {
        let start = clock.uptime
        let transaction = makeTransaction()
        let outcomes: [(any Error)?]
        do {
            outcomes = try run(jobs, in: transaction)
        } catch {
            return fail(jobs, error)
        }
        recovered()
        perform(transaction.effects)
        let took = clock.uptime - start
        shared.withLock { $0.statistics.count(jobs: jobs.count, took: took) }
        for (job, outcome) in zip(jobs, outcomes) { job.finished(outcome) }
        checkpoints.committed(jobs.count, on: database)
    }

    func close() {
        database.close()
        let closed = shared.withLock { shared in
            shared.isClosed = true
            defer { shared.onClose = nil }
            return shared.onClose
        }
        closed?()
    }

    func whenClosed(_ work: @escaping @Sendable () -> Void) {
        let isClosed = shared.withLock { shared in
            if !shared.isClosed { shared.onClose = work }
            return shared.isClosed
        }
        if isClosed { work() }
    }

    private func makeTransaction() -> WriteTransaction {
        WriteTransaction(
            database: database, now: clock.now,
            // Unowned: the transaction ends within `commit`, whose caller holds this object.
            ids: { [unowned self] in ids.next(at: $0) },
            positions: { [unowned self] in positions.next() })
    }

    // MARK: - The transaction

    /// Each job's own error, or nil when it is committed. Throws when nothing of the group was committed.
    private func run(_ jobs: [GroupWriter.Job], in transaction: WriteTransaction) throws -> [(any Error)?] {
        do {
            if let outcomes = try attempt(jobs, in: transaction, withSavepoints: false) { return outcomes }
            try database.rollback()
            transaction.rewind(to: 0)
            // With savepoints every failing job is undone by itself, so this attempt never gives up.
            return try attempt(jobs, in: transaction, withSavepoints: true) ?? []
        } catch {
            // A full disk or an I/O error may have rolled it back already.
            if database.isInTransaction { try database.rollback() }
            throw error
        }
    }

    /// nil when a job failed half way and could not be undone alone.
    private func attempt(
        _ jobs: [GroupWriter.Job], in transaction: WriteTransaction, withSavepoints: Bool
    ) throws -> [(any Error)?]? {
        try database.begin(.immediate)
        var outcomes: [(any Error)?] = []
        outcomes.reserveCapacity(jobs.count)
        for job in jobs {
            let published = transaction.effects.count
            let written = database.totalChanges
            do {
                if withSavepoints {
                    try database.savepoint { try job.body(transaction) }
                } else {
                    try job.body(transaction)
                }
                outcomes.append(nil)
            } catch {
                if (error as? SQLiteError)?.isStorageFailure == true { throw error }
                transaction.rewind(to: published)
                if !withSavepoints, database.totalChanges != written { return nil }
                outcomes.append(error)
            }
            // Without this, what follows a transaction that SQLite gave up would be committed piece by piece.
            guard database.isInTransaction else { throw GroupLost() }
        }
        let reserved = try positions.reserve(in: database)
        try database.commit()
        positions.reserved = reserved
        return outcomes
    }

    /// A job swallowed an error that had rolled the whole transaction back.
    private struct GroupLost: Error {}

    // MARK: - Afterwards

    private func perform(_ effects: [WriteTransaction.Effect]) {
        var outgoing: [Outgoing] = []
        outgoing.reserveCapacity(effects.count)
        for case .deliver(let event) in effects { outgoing.append(event) }
        if !outgoing.isEmpty { deliver(outgoing) }
        for case .run(let work) in effects { work() }
    }

    private func fail(_ jobs: [GroupWriter.Job], _ error: any Error) {
        if !isFailing {
            log.error("storage refuses writes", ["cause": .error(error), "jobs": .number(jobs.count)])
        }
        isFailing = true
        shared.withLock { $0.statistics.failedGroups += 1 }
        let answer = APIError(.unavailable, "the storage cannot be written right now", retryAfter: 2)
        for job in jobs { job.finished(answer) }
    }

    private func recovered() {
        guard isFailing else { return }
        isFailing = false
        log.notice("storage accepts writes again")
    }
}

/// Gives out positions. The file holds a number that no committed position exceeds; it moves in large steps, in
/// the transaction that needs it, so that a restart can never give a position twice.
private struct Positions {
    private var last: Int64
    /// As committed.
    var reserved: Int64

    init(database: Database) throws {
        last = try database.first("SELECT value FROM counters WHERE name = 'position'") { $0.int64(0) } ?? 0
        reserved = last
    }

    mutating func next() -> Int64 {
        last += 1
        return last
    }

    /// Makes the open transaction cover what was given out; the answer is `reserved` once it is committed.
    func reserve(in database: Database) throws -> Int64 {
        guard last > reserved else { return reserved }
        let enough = last + 10_000
        try database.run("UPDATE counters SET value = ? WHERE name = 'position'", enough)
        return enough
    }
}
