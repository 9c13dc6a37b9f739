import Foundation
import SQLite
import Testing

@Suite("Watching tables and queries", .timeLimit(.minutes(5)))
struct ObservationTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func open(inMemory: Bool = false, executor: DatabasePool.Executor = .threads) throws
        -> DatabasePool
    {
        var migrator = Migrator.log
        migrator.add("2-other", "CREATE TABLE other (id INTEGER PRIMARY KEY)")
        return try DatabasePool(
            path: inMemory ? nil : directory.file("pool.db"), configuration: .init(synchronous: .normal),
            migrator: migrator, executor: executor)
    }

    /// The notices that are waiting, counted by closing the pool behind them.
    private func rest(of notices: AsyncStream<Void>, closing pool: DatabasePool) async -> Int {
        await pool.close()
        return await notices.reduce(0) { count, _ in count + 1 }
    }

    @Test("A subscriber is told once at the start")
    func first() async throws {
        let pool = try open()
        let notices = pool.changes()
        #expect(await rest(of: notices, closing: pool) == 1)
    }

    @Test("A commit to its tables is told, before the write returns; other tables are not")
    func tables() async throws {
        let pool = try open()
        let log = pool.changes(in: ["log"])
        let other = pool.changes(in: ["other", "unknown"])
        for await _ in log { break }
        for await _ in other { break }
        try await pool.write { try $0.log(1) }
        for await _ in log { break }
        #expect(await rest(of: other, closing: pool) == 0)
    }

    @Test("Notices that nobody took melt into one")
    func coalesced() async throws {
        let pool = try open()
        let notices = pool.changes(in: ["log"])
        for value in 0..<10 { try await pool.write { try $0.log(value) } }
        #expect(await rest(of: notices, closing: pool) == 1)
    }

    @Test("A write that was rolled back, and one that changed nothing, are not told")
    func nothingToTell() async throws {
        let pool = try open()
        let notices = pool.changes()
        for await _ in notices { break }
        await #expect(throws: SQLiteError.self) {
            try await pool.write { database in
                try database.log(1)
                try database.log(1)
            }
        }
        try await pool.write { try $0.run("DELETE FROM log WHERE id = 5") }
        #expect(await rest(of: notices, closing: pool) == 0)
    }

    @Test("Emptying a whole table is told")
    func truncate() async throws {
        let pool = try open()
        try await pool.write { try $0.log(1) }
        let notices = pool.changes(in: ["log"])
        for await _ in notices { break }
        try await pool.write { try $0.run("DELETE FROM log") }
        #expect(await rest(of: notices, closing: pool) == 1)
    }

    @Test("A write outside a transaction is told too")
    func direct() async throws {
        let pool = try open()
        let notices = pool.changes(in: ["log"])
        for await _ in notices { break }
        try await pool.withWriter { try $0.log(1) }
        #expect(await rest(of: notices, closing: pool) == 1)
    }

    @Test("Each of many subscribers gets its own notice, and those that left cost nothing")
    func manySubscribers() async throws {
        let pool = try open()
        let notices = (0..<50).map { _ in pool.changes(in: ["log"]) }
        for stream in notices { for await _ in stream { break } }
        for _ in 0..<50 { _ = pool.changes(in: ["log"]) }
        try await pool.write { try $0.log(1) }
        for stream in notices { for await _ in stream { break } }
        await pool.close()
    }

    @Test(
        "A query is answered at once and again after each change that matters", arguments: [true, false],
        [DatabasePool.Executor.threads, .inline])
    func observe(inMemory: Bool, executor: DatabasePool.Executor) async throws {
        let pool = try open(inMemory: inMemory, executor: executor)
        var values = pool.observe(tables: ["log"]) { try $0.count("log") }.makeAsyncIterator()
        #expect(try await values.next() == 0)
        try await pool.write { try $0.log(1) }
        #expect(try await values.next() == 1)
        try await pool.write { try $0.run("INSERT INTO other VALUES (1)") }
        try await pool.write { try $0.run("UPDATE log SET body = 'same count'") }
        try await pool.write { try $0.log(2) }
        #expect(try await values.next() == 2)
        await pool.close()
        #expect(try await values.next() == nil)
    }

    @Test("A change made between subscribing and the first look is not lost")
    func earlyChange() async throws {
        let pool = try open()
        let values = pool.observe(tables: ["log"]) { try $0.count("log") }
        try await pool.write { try $0.log(1) }
        var iterator = values.makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        await pool.close()
    }

    @Test("The last of 1,000 racing writes is always seen, by every observer", arguments: [true, false])
    func racingWrites(inMemory: Bool) async throws {
        let pool = try open(inMemory: inMemory)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                let values = pool.observe(tables: ["log"]) { try $0.count("log") }
                group.addTask {
                    var last = -1
                    for try await value in values {
                        #expect(value > last)
                        last = value
                        if value == 1_000 { break }
                    }
                    #expect(last == 1_000)
                }
            }
            for value in 0..<1_000 {
                group.addTask { try await pool.write { try $0.log(value) } }
            }
            try await group.waitForAll()
        }
        await pool.close()
    }

    private struct Refused: Error {}

    @Test("An error of the query ends its stream, and only that one")
    func failingQuery() async throws {
        let pool = try open()
        let failing = pool.observe(tables: ["log"]) { database -> Int in
            guard try database.count("log") == 0 else { throw Refused() }
            return 0
        }
        var values = failing.makeAsyncIterator()
        #expect(try await values.next() == 0)
        try await pool.write { try $0.log(1) }
        await #expect(throws: Refused.self) { try await values.next() }
        var others = pool.observe(tables: ["log"]) { try $0.count("log") }.makeAsyncIterator()
        #expect(try await others.next() == 1)
        await pool.close()
    }

    @Test("A cancelled observer ends")
    func cancelled() async throws {
        let pool = try open()
        let (seen, continuation) = AsyncStream.makeStream(of: Int.self)
        let observer = Task {
            for try await value in pool.observe(tables: ["log"], { try $0.count("log") }) {
                continuation.yield(value)
            }
        }
        for await value in seen {
            #expect(value == 0)
            break
        }
        observer.cancel()
        do {
            try await observer.value
        } catch is CancellationError {
            // The read may be where it was cancelled.
        }
        await pool.close()
    }
}
