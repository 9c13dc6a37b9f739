import Foundation

/// The pool's one writing connection. Takes work in the order of the calls; what has queued up behind a commit
/// shares the next one, each piece in a savepoint, and is answered after it.
final class PoolWriter: @unchecked Sendable {
    // `waiting`, `isRunning` and `isClosed` are guarded by `lock`; `database` is used only by `drain()`, of which
    // one runs at a time.
    private let lock = NSLock()
    private var waiting: [any PoolWork] = []
    private var isRunning = false
    private var isClosed = false
    private let database: Database
    private let lane: Lane
    /// Bounds how long the first of a group waits for the last.
    private let groupLimit = 256

    init(database: Database, executor: DatabasePool.Executor) {
        self.database = database
        lane = Lane("writer", executor: executor)
    }

    func queue(_ work: any PoolWork) {
        add(work, isLast: false)
    }

    /// Queues the work that closes the connection; everything after it is refused.
    func queueLast(_ work: any PoolWork) {
        add(work, isLast: true)
    }

    private func add(_ work: any PoolWork, isLast: Bool) {
        let (isRefused, mustRun) = lock.withLock {
            guard !isClosed else { return (true, false) }
            isClosed = isLast
            waiting.append(work)
            defer { isRunning = true }
            return (false, !isRunning)
        }
        if isRefused { work.fail(SQLiteError.closed()) }
        if mustRun { lane.run { self.drain() } }
    }

    private func drain() {
        while let group = nextGroup() {
            let started = group.filter { $0.start() }
            guard let first = started.first else { continue }
            if first.needsTransaction {
                commit(started)
            } else {
                runAlone(first)
            }
        }
    }

    /// The first waiting work and, when it wants a transaction, those right behind it that want one too.
    private func nextGroup() -> [any PoolWork]? {
        lock.withLock {
            guard let first = waiting.first else {
                isRunning = false
                return nil
            }
            let count =
                first.needsTransaction
                ? waiting.prefix(groupLimit).prefix { $0.needsTransaction }.count : 1
            defer { waiting.removeFirst(count) }
            return Array(waiting.prefix(count))
        }
    }

    private func commit(_ group: [any PoolWork]) {
        var done: [any PoolWork] = []
        var refused: [(any PoolWork, any Error)] = []
        do {
            try endStrayTransaction()
            try database.transaction {
                for work in group {
                    do {
                        try perform(work, isOnly: group.count == 1)
                        done.append(work)
                    } catch {
                        // When the error took the whole transaction with it, the group fails with it.
                        guard database.isInTransaction else { throw error }
                        refused.append((work, error))
                        if group.count == 1 { throw error }
                    }
                }
            }
            for work in done { work.succeed() }
            for (work, error) in refused { work.fail(error) }
        } catch {
            // Answered once each: `fail` on an answered piece does nothing, and none is answered yet.
            for work in group { work.fail(error) }
        }
    }

    private func perform(_ work: any PoolWork, isOnly: Bool) throws {
        if isOnly { return try work.perform(on: database) }
        try database.savepoint {
            try work.perform(on: database)
            // Left to the commit, one piece's broken reference would fail the whole group.
            try database.checkDeferredForeignKeys()
        }
    }

    private func runAlone(_ work: any PoolWork) {
        do {
            try endStrayTransaction()
            try work.perform(on: database)
            guard !database.isInTransaction else {
                try database.rollback()
                throw SQLiteError.misuse("a transaction was left open")
            }
            work.succeed()
        } catch {
            work.fail(error)
        }
    }

    /// Work that followed a failed rollback would otherwise nest in the old transaction and never be committed.
    private func endStrayTransaction() throws(SQLiteError) {
        if database.isInTransaction { try database.rollback() }
    }
}
