import Foundation
import SQLite
import Testing

@Suite("One writer and many readers", .timeLimit(.minutes(1)))
struct PoolTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private static let schema: Migrator = {
        var migrator = Migrator()
        migrator.add("1-log", "CREATE TABLE log (id INTEGER PRIMARY KEY, value INTEGER)")
        return migrator
    }()

    @Test(
        "What was written is read back", arguments: [true, false], [DatabasePool.Executor.threads, .inline])
    func roundTrip(inMemory: Bool, executor: DatabasePool.Executor) async throws {
        let pool = try DatabasePool(
            path: inMemory ? nil : directory.file("pool.db"), migrator: Self.schema, executor: executor)
        let id = try await pool.write { database in
            try database.run("INSERT INTO log (value) VALUES (?)", 7)
            return database.lastInsertRowID
        }
        #expect(id == 1)
        #expect(try await pool.read { try $0.first("SELECT value FROM log") { $0.int(0) } } == 7)
        await pool.close()
    }

    @Test("An observer sees the first value and the last")
    func observes() async throws {
        let pool = try DatabasePool(path: directory.file("pool.db"), migrator: Self.schema)
        let values = pool.observe(tables: ["log"]) { try $0.count("log") }
        async let seen = {
            var seen: [Int] = []
            for try await value in values {
                seen.append(value)
                if value == 1_000 { break }
            }
            return seen
        }()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for value in 0..<1_000 {
                group.addTask {
                    try await pool.write { try $0.run("INSERT INTO log (value) VALUES (?)", value) }
                }
            }
            try await group.waitForAll()
        }
        let counts = try await seen
        #expect(counts.last == 1_000)
        #expect(counts == Array(Set(counts)).sorted())
        await pool.close()
    }
}
