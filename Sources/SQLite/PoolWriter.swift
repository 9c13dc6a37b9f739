import Foundation

/// The pool's one writing connection. Takes work in the order of the calls; what has queued up behind a commit
/// shares the next one, each piece in a savepoint, and is answered after it.
final class PoolWriter: @unchecked Sendable {
    // All state but `database` is guarded by `lock`; `database` is used only by `drain()`, of which one runs at a
    // time.
    private let lock = NSLock()
    private var waiting: [any PoolWork] = []
    private var isRunning = false
    private var isClosed = false
    private var closers: [CheckedContinuation<Void, Never>] = []
    private let database: Database
    private let lane: Lane
    /// Bounds how long the first of a group waits for the last.
    private let groupLimit = 256

    init(database: Database, executor: DatabasePool.Executor) {
        self.database = database
        lane = Lane("writer", executor: executor)
    }

    func queue(_ work: any PoolWork) {
        let isQueued = lock.withLock {
            if !isClosed { waiting.append(work) }
            return !isClosed
        }
        if isQueued { runIfIdle() } else { work.fail(SQLiteError.closed()) }
    }

    /// Refuses all later work; what is queued still runs.
    func refuseWork() {
        lock.withLock { isClosed = true }
    }

    /// Waits for the queued work and closes the connection.
    func close() async {
        refuseWork()
        await withCheckedContinuation { continuation in
            lock.withLock { closers.append(continuation) }
            runIfIdle()
        }
    }

    private func runIfIdle() {
        let isIdle = lock.withLock {
            defer { isRunning = true }
            return !isRunning
        }
        if isIdle { lane.run { self.drain() } }
    }

    private func drain() {
        while true {
            switch nextStep() {
            case .perform(let group): perform(group)
            case .close(let closers):
                database.close()
                for closer in closers { closer.resume() }
            case .rest: return
            }
        }
    }

    private enum Step {
        case perform([any PoolWork])
        case close([CheckedContinuation<Void, Never>])
        case rest
    }

    /// The first waiting work and, when it is a write, the writes right behind it. After the last work, the close.
    private func nextStep() -> Step {
        lock.withLock {
            if let first = waiting.first {
                let writes = waiting.prefix(groupLimit).prefix { $0.kind == .write }.count
                let count = first.kind == .write ? writes : 1
                defer { waiting.removeFirst(count) }
                return .perform(Array(waiting.prefix(count)))
            }
            if !closers.isEmpty {
                defer { closers = [] }
                return .close(closers)
            }
            isRunning = false
            return .rest
        }
    }

    private func perform(_ group: [any PoolWork]) {
        let started = group.filter { $0.start() }
        guard let first = started.first else { return }
        if first.kind == .write {
            commit(started)
        } else {
            performAlone(first)
        }
    }

    private func commit(_ group: [any PoolWork]) {
        var done: [any PoolWork] = []
        var refused: [(work: any PoolWork, error: any Error)] = []
        do {
            try database.endStrayTransaction()
            try database.transaction {
                for work in group {
                    do {
                        try perform(work, isOnly: group.count == 1)
                        done.append(work)
                    } catch {
                        // An only piece fails by itself; an error that took the transaction with it fails them all.
                        guard group.count > 1, database.isInTransaction else { throw error }
                        refused.append((work, error))
                    }
                }
            }
        } catch {
            for work in group { work.fail(error) }
            return
        }
        for work in done { work.succeed() }
        for (work, error) in refused { work.fail(error) }
    }

    private func perform(_ work: any PoolWork, isOnly: Bool) throws {
        if isOnly { return try work.perform(on: database) }
        try database.savepoint {
            try work.perform(on: database)
            // Left to the commit, one piece's broken reference would fail the whole group.
            try database.checkDeferredForeignKeys()
        }
    }

    private func performAlone(_ work: any PoolWork) {
        do {
            try database.endStrayTransaction()
            try work.perform(on: database)
            guard !database.isInTransaction else {
                try database.rollback()
                throw SQLiteError.misuse("a transaction was left open")
            }
        } catch {
            return work.fail(error)
        }
        work.succeed()
    }
}
