import SQLite
import Synchronization

/// Moves the write-ahead log into the database file without making commits wait for it.
///
/// Most of it is moved from another connection, while commits go on. That never catches up under load, and the log
/// starts over only when all of it is moved: so the writer moves the small rest itself, between two groups.
final class Checkpoints: Sendable {
    private enum Phase {
        case counting(Int)
        /// Another connection is at it.
        case moving
        /// The rest is the writer's.
        case moved
    }

    private let phase = Mutex(Phase.counting(0))
    private let pool: DatabasePool
    private let options: StorageOptions
    private let log: Log

    init(pool: DatabasePool, options: StorageOptions, log: Log) {
        self.pool = pool
        self.options = options
        self.log = log
    }

    /// The other connection is done, and the rest is the writer's.
    var isWaitingForWriter: Bool {
        phase.withLock { if case .moved = $0 { true } else { false } }
    }

    /// Called by the writer between two groups, after it has answered.
    func committed(_ jobs: Int, on database: Database) {
        let (mustMove, mustFinish) = phase.withLock { phase in
            switch phase {
            case .moving:
                return (false, false)
            case .moved:
                phase = .counting(0)
                return (false, true)
            case .counting(let count):
                guard count + jobs >= options.checkpointJobs else {
                    phase = .counting(count + jobs)
                    return (false, false)
                }
                let isAlone = options.execution == .inline
                phase = isAlone ? .counting(0) : .moving
                return (!isAlone, isAlone)
            }
        }
        if mustFinish { checkpoint(database) }
        if mustMove { moveMost() }
    }

    private func moveMost() {
        Task {
            do {
                try await pool.withWriter { try $0.checkpoint(truncate: false) }
            } catch {
                log.warning("checkpoint failed", ["cause": .error(error)])
            }
            phase.withLock { $0 = .moved }
        }
    }

    private func checkpoint(_ database: Database) {
        do {
            try database.checkpoint(truncate: false)
        } catch {
            // The log only grows until the next one.
            log.warning("checkpoint failed", ["cause": .error(error)])
        }
    }
}
