import ChatterModel
import Foundation
import SQLite

/// Commits jobs in groups on one thread: what queued up during a commit shares the next one.
final class GroupWriter: @unchecked Sendable {
    // `waiting`, `isDraining` and `isClosed` are guarded by `condition`; `committer` is used only by the draining
    // thread, of which there is one.
    struct Job: Sendable {
        let body: @Sendable (WriteTransaction) throws -> Void
        /// Called once, after the commit or instead of it.
        let finished: @Sendable ((any Error)?) -> Void

        init(
            _ body: @escaping @Sendable (WriteTransaction) throws -> Void,
            finished: @escaping @Sendable ((any Error)?) -> Void
        ) {
            self.body = body
            self.finished = finished
        }
    }

    private let condition = NSCondition()
    private var waiting: [Job] = []
    private var isDraining = false
    private var isClosed = false
    private let committer: GroupCommit
    private let options: StorageOptions

    init(
        database: sending Database, clock: any ServerClock, random: any RandomBytes, options: StorageOptions,
        checkpoints: Checkpoints, log: Log, deliver: @escaping @Sendable ([Outgoing]) -> Void
    ) throws {
        self.options = options
        committer = try GroupCommit(
            database: database, clock: clock, random: random, checkpoints: checkpoints, log: log,
            deliver: deliver)
        guard options.execution == .threads else { return }
        let thread = Thread { [self] in
            while let group = nextGroup(wait: true) { committer.commit(group) }
            committer.close()
        }
        thread.name = "chatter.writer"
        thread.start()
    }

    var statistics: GroupStatistics {
        var statistics = committer.statistics
        statistics.waiting = condition.withLock { waiting.count }
        return statistics
    }

    /// - Parameter evenWhenFull: for the one job that waits for the others.
    func add(_ job: Job, evenWhenFull: Bool = false) {
        let refusal: APIError? = condition.withLock {
            if isClosed { return APIError(.unavailable, "the server is stopping", retryAfter: 2) }
            if waiting.count >= options.queueLimit, !evenWhenFull {
                return APIError(.unavailable, "the server is busy", retryAfter: 1)
            }
            waiting.append(job)
            if !isDraining { condition.signal() }
            return nil
        }
        if let refusal { return job.finished(refusal) }
        if options.execution == .inline { drain() }
    }

    /// Commits what is queued and closes the connection.
    func close() async {
        await withCheckedContinuation { continuation in
            condition.withLock {
                isClosed = true
                condition.signal()
            }
            committer.whenClosed { continuation.resume() }
            if options.execution == .inline { committer.close() }
        }
    }

    /// On the caller. Jobs that a commit's effects add are taken by the loop that is already running.
    private func drain() {
        let isMine = condition.withLock {
            defer { isDraining = true }
            return !isDraining
        }
        guard isMine else { return }
        while let group = nextGroup(wait: false) { committer.commit(group) }
    }

    /// nil when there is nothing left to do: for good with `wait`, for now without.
    private func nextGroup(wait: Bool) -> [Job]? {
        condition.withLock {
            isDraining = false
            while waiting.isEmpty {
                if !wait || isClosed { return nil }
                condition.wait()
            }
            isDraining = true
            if waiting.count <= options.groupLimit {
                defer { waiting = [] }
                return waiting
            }
            defer { waiting.removeFirst(options.groupLimit) }
            return Array(waiting.prefix(options.groupLimit))
        }
    }
}
