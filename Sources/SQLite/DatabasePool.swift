import Foundation

/// One writer and many readers of one database, for use by many tasks.
///
/// Each connection has a thread of its own. Readers never wait for the writer: each sees the database as it was
/// when its read began. In memory, one connection serves both in turn.
public final class DatabasePool: Sendable {
    /// Where the bodies run.
    public enum Executor: Sendable {
        /// On a thread for each connection.
        case threads
        /// On the calling task, at once: for tests that must repeat exactly.
        case inline
    }

    private let writer: PoolWriter
    /// nil in memory.
    private let readers: PoolReaders?
    private let hub = ChangeHub()

    /// Opens the connections and brings the schema up to date; throws `SQLiteError` or `MigrationError`.
    ///
    /// - Parameter path: nil keeps the database in memory, for as long as the pool lives.
    public init(
        path: String?, readers: Int = 3, configuration: Database.Configuration = .init(),
        migrator: Migrator? = nil, executor: Executor = .threads
    ) throws {
        let database = try Database(
            path: path ?? "", mode: path == nil ? .memory : .readWrite, configuration: configuration)
        try migrator?.migrate(database)
        database.onCommit = { [hub] in hub.publish($0) }
        writer = PoolWriter(database: database, executor: executor)
        if let path {
            let databases = try (0..<max(readers, 1)).map { _ in
                try Database(path: path, mode: .readOnly, configuration: configuration)
            }
            self.readers = PoolReaders(databases: databases, executor: executor)
        } else {
            self.readers = nil
        }
    }

    /// Runs `body` in a write transaction and returns when it is committed. Calls are served in order; a call
    /// cancelled before its turn throws `CancellationError`, one that has begun completes.
    ///
    /// Calls that wait together share one commit: an error of one undoes that one alone, an error of the commit
    /// (a full disk) fails them all. `body` may nest transactions but must not end the one it is given.
    public nonisolated(nonsending) func write<T: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        try await run(.write, body) { writer.queue($0) }
    }

    /// Runs `body` on one snapshot of the database. Writing in it fails with `isReadOnly`. Cancelling the task
    /// stops it.
    public nonisolated(nonsending) func read<T: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        if let readers {
            return try await run(.read, body) { readers.queue($0) }
        }
        return try await withWriter { database in
            database.refusesWrites = true
            defer { database.refusesWrites = false }
            return try database.transaction(.deferred) { try body(database) }
        }
    }

    /// Runs `body` on the writing connection in its turn but in no transaction, for what cannot run in one.
    /// It must leave none open.
    public nonisolated(nonsending) func withWriter<T: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        try await run(.alone, body) { writer.queue($0) }
    }

    /// Queued before the first suspension, so that the calls of one actor keep their order.
    private nonisolated(nonsending) func run<T: Sendable>(
        _ kind: PoolWorkKind, _ body: @escaping @Sendable (Database) throws -> T,
        queue: (any PoolWork) -> Void
    ) async throws -> T {
        try Task.checkCancellation()
        let work = Work(kind, body: body)
        queue(work)
        return try await work.value()
    }

    /// One notice at once, then one after each commit that changed one of `tables` (nil: any). Notices not yet
    /// taken melt into one. Ends when the pool is closed.
    public func changes(in tables: Set<String>? = nil) -> AsyncStream<Void> {
        hub.subscribe(to: tables)
    }

    /// The query's value now, and again whenever a commit to `tables` has made it another. Values that nobody
    /// took in time are skipped, never the last one. An error of the query ends it; so does closing the pool.
    public func observe<T: Sendable & Equatable>(
        tables: Set<String>, _ query: @escaping @Sendable (Database) throws -> T
    ) -> AsyncThrowingStream<T, any Error> {
        let observation = Observation(pool: self, notices: changes(in: tables), query: query)
        return AsyncThrowingStream { try await observation.next() }
    }

    /// Copies the database to `path` while reads and writes go on; see `Database.backup(to:prepare:)`.
    public func backup(
        to path: String, prepare: @escaping @Sendable (Database) throws -> Void = { _ in }
    ) async throws {
        try await read { try $0.backup(to: path, prepare: prepare) }
    }

    /// Waits for the work already queued, moves the WAL into the file and closes it. Calls made after throw an
    /// error that `isClosed`. Closing twice is harmless.
    public func close() async {
        readers?.refuseWork()
        writer.refuseWork()
        await readers?.close()
        // Last, because closing the last connection checkpoints and removes the WAL.
        await writer.close()
        hub.close()
    }
}

/// The state of one `observe`: pulled, one value at a time, by the stream's consumer.
private actor Observation<T: Sendable & Equatable> {
    private let pool: DatabasePool
    private let notices: AsyncStream<Void>
    private let query: @Sendable (Database) throws -> T
    private var last: T?

    init(pool: DatabasePool, notices: AsyncStream<Void>, query: @escaping @Sendable (Database) throws -> T) {
        self.pool = pool
        self.notices = notices
        self.query = query
    }

    func next() async throws -> T? {
        // A notice is taken before the read, so a commit during the read leaves another one.
        for await _ in notices {
            do {
                let value = try await pool.read(query)
                guard value != last else { continue }
                last = value
                return value
            } catch let error as SQLiteError where error.isClosed {
                return nil
            }
        }
        return nil
    }
}
