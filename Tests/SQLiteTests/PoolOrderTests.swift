import Foundation
import SQLite
import Testing

/// On the main actor, which runs its tasks in order: a call made by an earlier task is queued earlier.
@Suite("Writes keep the order of their calls and share commits", .timeLimit(.minutes(5)))
@MainActor
struct PoolOrderTests {
    private let directory: TemporaryDirectory
    private let pool: DatabasePool
    private let gate = Gate()

    init() throws {
        directory = try TemporaryDirectory()
        pool = try DatabasePool(
            path: directory.file("pool.db"), configuration: .init(synchronous: .normal), migrator: .log)
    }

    /// Queues all writes behind a blocked writer, so that they are committed together, and lets them go.
    private func together(_ bodies: [@Sendable (Database) throws -> Void]) async -> [(any Error)?] {
        let blocker = Task { try await pool.withWriter { _ in gate.pass() } }
        await gate.arrived()
        let tasks = bodies.map { body in Task { try await pool.write(body) } }
        await Task {}.value
        gate.open()
        var errors: [(any Error)?] = []
        for task in [blocker] + tasks {
            do {
                try await task.value
                errors.append(nil)
            } catch {
                errors.append(error)
            }
        }
        return Array(errors.dropFirst())
    }

    private struct Refused: Error {}

    @Test("A thousand queued writes run in order")
    func fifo() async throws {
        let errors = await together((0..<1_000).map { value in { try $0.log(value) } })
        #expect(errors.allSatisfy { $0 == nil })
        #expect(try await pool.read { try $0.logged() } == Array(0..<1_000))
        await pool.close()
    }

    @Test("Writes that wait together are committed together")
    func shareCommits() async throws {
        let notices = pool.changes(in: ["log"])
        var iterator = notices.makeAsyncIterator()
        #expect(await iterator.next() != nil)
        // Each looks from outside whether the one before it has been committed yet.
        let path = directory.file("pool.db")
        let seen = Recorder()
        let body: @Sendable (Int) -> @Sendable (Database) throws -> Void = { value in
            { database in
                seen.append(try Database(path: path, mode: .readOnly).count("log"))
                try database.log(value)
            }
        }
        let errors = await together((0..<10).map(body))
        #expect(errors.allSatisfy { $0 == nil })
        #expect(seen.values == Array(repeating: 0, count: 10))
        #expect(try await pool.read { try $0.count("log") } == 10)
        await pool.close()
    }

    @Test("One that throws undoes itself alone")
    func oneThrows() async throws {
        let errors = await together([
            { try $0.log(1) },
            { database in
                try database.log(2)
                throw Refused()
            },
            { try $0.log(3) },
            { database in
                try database.log(4)
                try database.log(1)
            },
            { database in
                #expect(try database.logged() == [1, 3])
                try database.log(5)
            },
        ])
        #expect(errors.map { $0 == nil } == [true, false, true, false, true])
        #expect(errors[1] is Refused)
        #expect((errors[3] as? SQLiteError)?.isUniqueViolation == true)
        #expect(try await pool.read { try $0.logged() } == [1, 3, 5])
        await pool.close()
    }

    @Test("One that leaves a broken reference fails alone, before the commit")
    func brokenReference() async throws {
        try await pool.write {
            try $0.execute(
                script: "CREATE TABLE c (p INTEGER REFERENCES log (id) DEFERRABLE INITIALLY DEFERRED)")
        }
        let errors = await together([
            { try $0.log(1) },
            { try $0.run("INSERT INTO c VALUES (99)") },
            { database in
                try database.run("INSERT INTO c VALUES (50)")
                try database.run("INSERT INTO log VALUES (50, 50, NULL)")
            },
        ])
        #expect(errors.map { $0 == nil } == [true, false, true])
        #expect((errors[1] as? SQLiteError)?.isForeignKeyViolation == true)
        #expect(try await pool.read { try $0.count("c") } == 1)
        await pool.close()
    }

    @Test("A full disk fails all that share the commit, and nothing of any is kept")
    func fullDisk() async throws {
        let pages = try await pool.read { try $0.first("PRAGMA page_count") { $0.int(0) } ?? 0 }
        try await pool.withWriter { try $0.run("PRAGMA max_page_count = \(pages + 10)") }
        let errors = await together([
            { try $0.log(1) },
            { try $0.run("INSERT INTO log (value, body) VALUES (2, zeroblob(1000000))") },
            { try $0.log(3) },
        ])
        for error in errors { #expect((error as? SQLiteError)?.isFull == true) }
        #expect(try await pool.read { try $0.logged() } == [])
        try await pool.write { try $0.log(4) }
        #expect(try await pool.read { try $0.logged() } == [4])
        await pool.close()
    }

    @Test("One that ends the transaction itself is an error, and the next ones work")
    func endsTransaction() async throws {
        await #expect(throws: SQLiteError.self) { try await pool.write { try $0.rollback() } }
        await #expect(throws: SQLiteError.self) { try await pool.withWriter { try $0.begin() } }
        try await pool.write { try $0.log(1) }
        #expect(try await pool.read { try $0.logged() } == [1])
        await pool.close()
    }

    @Test("Work without a transaction keeps its place between writes")
    func aloneInOrder() async throws {
        let blocker = Task { try await pool.withWriter { _ in gate.pass() } }
        await gate.arrived()
        let first = Task { try await pool.write { try $0.log(1) } }
        let alone = Task { try await pool.withWriter { ($0.isInTransaction, try $0.logged()) } }
        let second = Task { try await pool.write { try $0.log(2) } }
        await Task {}.value
        gate.open()
        let (isInTransaction, seen) = try await alone.value
        #expect(!isInTransaction)
        #expect(seen == [1])
        for task in [blocker, first, second] { try await task.value }
        await pool.close()
    }

    @Test("A write cancelled in the queue never runs; one that has begun completes")
    func cancellation() async throws {
        let begun = Task {
            try await pool.write { database in
                gate.pass()
                try database.log(1)
            }
        }
        await gate.arrived()
        let queued = Task { try await pool.write { try $0.log(2) } }
        let other = Task { try await pool.write { try $0.log(3) } }
        await Task {}.value
        begun.cancel()
        queued.cancel()
        gate.open()
        try await begun.value
        await #expect(throws: CancellationError.self) { try await queued.value }
        try await other.value
        #expect(try await pool.read { try $0.logged() } == [1, 3])
        await pool.close()
    }

    @Test("A call of a task that is already cancelled never runs")
    func cancelledBefore() async throws {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await #expect(throws: CancellationError.self) { try await pool.write { try $0.log(1) } }
            await #expect(throws: CancellationError.self) { try await pool.read { try $0.count("log") } }
        }
        await task.value
        #expect(try await pool.read { try $0.logged() } == [])
        await pool.close()
    }

    @Test("Reads that wait for a reader are served in order")
    func readsInOrder() async throws {
        let single = try DatabasePool(path: directory.file("pool.db"), readers: 1)
        let order = Recorder()
        let blocker = Task { try await single.read { _ in gate.pass() } }
        await gate.arrived()
        let reads = (0..<20).map { number in Task { try await single.read { _ in order.append(number) } } }
        await Task {}.value
        gate.open()
        for read in [blocker] + reads { try await read.value }
        #expect(order.values == Array(0..<20))
        await single.close()
        await pool.close()
    }

    @Test("A read cancelled while it runs is interrupted")
    func cancelledRead() async throws {
        let (rows, continuation) = AsyncStream.makeStream(of: Void.self)
        let endless = Task {
            try await pool.read { database in
                let sql = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
                try database.each(sql) { if $0.int(0) == 1 { continuation.yield() } }
            }
        }
        for await _ in rows { break }
        endless.cancel()
        await #expect(throws: CancellationError.self) { try await endless.value }
        #expect(try await pool.read { try $0.count("log") } == 0)
        await pool.close()
    }
}

/// Values in the order in which they came, from any thread.
final class Recorder: @unchecked Sendable {  // `stored` is guarded by `lock`
    private let lock = NSLock()
    private var stored: [Int] = []

    var values: [Int] { lock.withLock { stored } }

    func append(_ value: Int) { lock.withLock { stored.append(value) } }
}
