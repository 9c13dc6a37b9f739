import ChatterModel
import Foundation
import SQLite

/// The server's one database. Reads run on connections of their own and never wait for the writer. Writes are
/// committed in groups: many jobs, one transaction, one sync to disk; each job is undone alone when it throws.
final class Storage: Sendable {
    /// Where jobs run.
    enum Execution: Sendable {
        /// Writes on a thread of their own, reads on a few.
        case threads
        /// Everything on the caller, at once: for simulations that must repeat exactly.
        case inline
    }

    private let pool: DatabasePool
    private let writer: GroupWriter
    private let near: SharedConnection

    /// Opens the database and brings its schema up to date; throws `SQLiteError` or `MigrationError`.
    ///
    /// - Parameters:
    ///   - path: of the database file; created when it is missing.
    ///   - deliver: takes the events of a committed group, in order, on the writing thread.
    init(
        path: String, clock: any ServerClock, random: any RandomBytes,
        options: StorageOptions = StorageOptions(),
        log: Log = .off, deliver: @escaping @Sendable ([Outgoing]) -> Void
    ) throws {
        pool = try DatabasePool(
            path: path, readers: options.readers, configuration: options.database, migrator: Schema.migrator,
            executor: options.execution == .threads ? .threads : .inline)
        near = SharedConnection(
            try Database(path: path, mode: .readOnly, configuration: options.database))
        writer = try GroupWriter(
            database: Database(path: path, mode: .readWrite, configuration: options.database),
            clock: clock, random: random, options: options,
            checkpoints: Checkpoints(pool: pool, options: options, log: log), log: log, deliver: deliver)
    }

    /// Runs `body` on one snapshot of the database.
    func read<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        do {
            return try await pool.read(body)
        } catch let error as SQLiteError {
            throw error.unavailable ?? error
        }
    }

    /// Runs one short query on the calling thread: for the loop thread, where nothing may wait.
    func readNow<T>(_ body: (Database) throws -> T) throws -> T {
        do {
            return try near.use(body)
        } catch let error as SQLiteError {
            throw error.unavailable ?? error
        }
    }

    /// Returns `body`'s result when the commit is durable and its events were handed over. Throws `body`'s error,
    /// or UNAVAILABLE when the queue is full or the disk refused the group.
    func write<T: Sendable>(_ body: @escaping @Sendable (WriteTransaction) throws -> T) async throws -> T {
        let result = JobResult<T>()
        return try await withCheckedThrowingContinuation { continuation in
            writer.add(
                GroupWriter.Job { transaction in
                    result.value = try body(transaction)
                } finished: { error in
                    continuation.resume(with: result.outcome(error))
                })
        }
    }

    /// As `write`, for the socket path: never waits, runs in the order of the calls, and answers by what `body`
    /// publishes. `failed` gets the error of a body that threw or was never run, on the writing thread.
    func enqueue(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Void,
        failed: @escaping @Sendable (any Error) -> Void
    ) {
        writer.add(
            GroupWriter.Job(body) { error in
                if let error { failed(error) }
            })
    }

    /// Returns when every job queued before is committed or refused.
    func flush() async {
        await withCheckedContinuation { continuation in
            writer.add(GroupWriter.Job({ _ in }) { _ in continuation.resume() }, evenWhenFull: true)
        }
    }

    /// Copies the database to `path` while reads and writes go on. The copy belongs to no epoch.
    func backup(to path: String) async throws {
        try await pool.backup(to: path, prepare: Epochs.forget)
    }

    var statistics: GroupStatistics { writer.statistics }

    /// Commits what is queued, then closes. Later writes throw UNAVAILABLE.
    func close() async {
        await writer.close()
        near.close()
        await pool.close()
    }
}

/// How the storage works; the defaults are the server's.
struct StorageOptions: Sendable {
    var execution = Storage.Execution.threads
    var database = Database.Configuration()
    var readers = 2
    /// Jobs in one commit at most: bounds how long the first waits for the last.
    var groupLimit = 512
    /// Jobs waiting at most; further ones are refused at once.
    var queueLimit = 20_000
    /// Jobs between two checkpoints.
    var checkpointJobs = 4_000

    init(isInline: Bool = false) {
        if isInline { execution = .inline }
    }
}

/// A job's result on its way from the writing thread to the waiting task.
private final class JobResult<T: Sendable>: @unchecked Sendable {
    // Written by the job and read when it is answered, both on the writing thread.
    var value: T?

    func outcome(_ error: (any Error)?) -> Result<T, any Error> {
        if let error { return .failure(error) }
        guard let value else {
            return .failure(APIError(.internalError, "the job was answered before it ran"))
        }
        return .success(value)
    }
}

/// A connection that several threads use in turn, each for one short query.
final class SharedConnection: @unchecked Sendable {  // `database` is used under `lock` only
    private let lock = NSLock()
    private let database: Database

    init(_ database: sending Database) { self.database = database }

    func use<T>(_ body: (Database) throws -> T) rethrows -> T {
        try lock.withLock { try body(database) }
    }

    func close() {
        lock.withLock { database.close() }
    }
}

extension SQLiteError {
    /// What the API answers while the storage cannot serve; nil for what is ours to repair.
    var unavailable: APIError? {
        guard isStorageFailure || isClosed else { return nil }
        return APIError(.unavailable, "the storage cannot serve this right now", retryAfter: 2)
    }

    /// The disk, the file or another process refused: it concerns every job, not the one that met it.
    /// Everything but a broken rule of the schema and a mistake in a statement counts.
    var isStorageFailure: Bool {
        // SQLITE_ERROR, MISMATCH, MISUSE, RANGE, TOOBIG; spelled as numbers since only SQLite's wrapper imports C.
        !isConstraint && ![1, 20, 21, 25, 18].contains(primaryCode)
    }
}
