import Foundation

/// The pool's reading connections. Work waits in the order of the calls for the first that is free.
final class PoolReaders: @unchecked Sendable {
    /// A connection; whoever has taken it from `idle` is its only user.
    private final class Reader: @unchecked Sendable {  // for the reason above
        let database: Database
        let lane: Lane

        init(database: Database, lane: Lane) {
            self.database = database
            self.lane = lane
        }
    }

    // All state is guarded by `lock`.
    private let lock = NSLock()
    private let count: Int
    private var idle: [Reader]
    private var waiting: [any PoolWork] = []
    private var isClosed = false
    private var closers: [CheckedContinuation<Void, Never>] = []

    init(databases: [Database], executor: DatabasePool.Executor) {
        count = databases.count
        idle = databases.enumerated().map { index, database in
            Reader(database: database, lane: Lane("reader.\(index)", executor: executor))
        }
    }

    func queue(_ work: any PoolWork) {
        let (isRefused, reader) = lock.withLock { () -> (Bool, Reader?) in
            guard !isClosed else { return (true, nil) }
            if let reader = idle.popLast() { return (false, reader) }
            waiting.append(work)
            return (false, nil)
        }
        if isRefused { work.fail(SQLiteError.closed()) }
        if let reader { reader.lane.run { self.drain(from: work, on: reader) } }
    }

    /// Refuses all later work; what is queued still runs.
    func refuseWork() {
        lock.withLock { isClosed = true }
    }

    /// Waits for the queued work and closes the connections.
    func close() async {
        refuseWork()
        await withCheckedContinuation { continuation in
            lock.withLock { closers.append(continuation) }
            closeIfIdle()
        }
    }

    private func closeIfIdle() {
        let waitingClosers = lock.withLock {
            guard idle.count == count, !closers.isEmpty else { return [CheckedContinuation<Void, Never>]() }
            // No work is left and none can come.
            for reader in idle { reader.database.close() }
            defer { closers = [] }
            return closers
        }
        for closer in waitingClosers { closer.resume() }
    }

    private func drain(from work: any PoolWork, on reader: Reader) {
        var next: (any PoolWork)? = work
        while let work = next {
            if work.start() { perform(work, on: reader.database) }
            next = nextWork(for: reader)
        }
        closeIfIdle()
    }

    private func perform(_ work: any PoolWork, on database: Database) {
        do {
            try database.endStrayTransaction()
            try database.transaction(.deferred) { try work.perform(on: database) }
        } catch {
            return work.fail(error)
        }
        work.succeed()
    }

    /// The first waiting work; without any the reader becomes idle.
    private func nextWork(for reader: Reader) -> (any PoolWork)? {
        lock.withLock {
            if waiting.isEmpty {
                idle.append(reader)
                return nil
            }
            return waiting.removeFirst()
        }
    }
}
