import Foundation
import SQLite
import Testing

@Suite("One writer and many readers", .timeLimit(.minutes(5)))
struct PoolTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func open(
        inMemory: Bool = false, readers: Int = 3, executor: DatabasePool.Executor = .threads
    ) throws -> DatabasePool {
        try DatabasePool(
            path: inMemory ? nil : directory.file("pool.db"), readers: readers,
            configuration: .init(synchronous: .normal), migrator: .log, executor: executor)
    }

    @Test(
        "What was written is read back", arguments: [true, false], [DatabasePool.Executor.threads, .inline])
    func roundTrip(inMemory: Bool, executor: DatabasePool.Executor) async throws {
        let pool = try open(inMemory: inMemory, executor: executor)
        let id = try await pool.write { database in
            #expect(database.isInTransaction)
            try database.log(7)
            return database.lastInsertRowID
        }
        #expect(id == 1)
        #expect(try await pool.read { try $0.logged() } == [7])
        let wasInTransaction = try await pool.withWriter { $0.isInTransaction }
        #expect(!wasInTransaction)
        await pool.close()
    }

    @Test("A read may not write, not even in memory", arguments: [true, false])
    func readsDoNotWrite(inMemory: Bool) async throws {
        let pool = try open(inMemory: inMemory)
        let error = await #expect(throws: SQLiteError.self) { try await pool.read { try $0.log(1) } }
        #expect(error?.isReadOnly == true)
        try await pool.write { try $0.log(2) }
        #expect(try await pool.read { try $0.logged() } == [2])
        await pool.close()
    }

    private struct Refused: Error {}

    @Test("A write that throws leaves nothing behind", arguments: [true, false])
    func failedWrite(inMemory: Bool) async throws {
        let pool = try open(inMemory: inMemory)
        await #expect(throws: Refused.self) {
            try await pool.write { database in
                try database.log(1)
                throw Refused()
            }
        }
        await #expect(throws: Refused.self) { try await pool.read { _ in throw Refused() } }
        #expect(try await pool.read { try $0.logged() } == [])
        await pool.close()
    }

    @Test("Readers do not wait for a writer in its transaction, and see what was committed before")
    func readersDoNotWait() async throws {
        let pool = try open()
        let gate = Gate()
        async let written: Void = pool.write { database in
            try database.log(1)
            gate.pass()
        }
        await gate.arrived()
        #expect(try await pool.read { try $0.logged() } == [])
        gate.open()
        try await written
        #expect(try await pool.read { try $0.logged() } == [1])
        await pool.close()
    }

    @Test("One read sees one moment, whatever is committed meanwhile")
    func snapshot() async throws {
        let pool = try open()
        try await pool.write { try $0.log(1) }
        let gate = Gate()
        async let counts = pool.read { database in
            let before = try database.count("log")
            gate.pass()
            return (before, try database.count("log"))
        }
        await gate.arrived()
        try await pool.write { try $0.log(2) }
        #expect(try await pool.read { try $0.count("log") } == 2)
        gate.open()
        #expect(try await counts == (1, 1))
        await pool.close()
    }

    @Test("More reads than readers wait their turn and all get an answer")
    func manyReads() async throws {
        let pool = try open(readers: 2)
        try await pool.write { try $0.log(1) }
        let gates = [Gate(), Gate()]
        async let first = pool.read { database in
            gates[0].pass()
            return try database.count("log")
        }
        async let second = pool.read { database in
            gates[1].pass()
            return try database.count("log")
        }
        for gate in gates { await gate.arrived() }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 { group.addTask { try await pool.read { try $0.count("log") } } }
            for gate in gates { gate.open() }
            for try await count in group { #expect(count == 1) }
        }
        #expect(try await (first, second) == (1, 1))
        await pool.close()
    }

    @Test("Blocked bodies never hold the threads that tasks run on")
    func ownThreads() async throws {
        // More than the cooperative pool has threads on any machine that runs this.
        let gates = (0..<64).map { _ in Gate() }
        let pool = try open(readers: gates.count)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for gate in gates { group.addTask { try await pool.read { _ in gate.pass() } } }
            for gate in gates { await gate.arrived() }
            for value in 0..<100 { try await pool.write { try $0.log(value) } }
            for gate in gates { gate.open() }
            try await group.waitForAll()
        }
        #expect(try await pool.read { try $0.count("log") } == 100)
        await pool.close()
    }

    @Test("Inline, the body runs on the calling task at once")
    func inline() async throws {
        let pool = try open(executor: .inline)
        for value in 0..<100 {
            try await pool.write { try $0.log(value) }
            #expect(try await pool.read { try $0.count("log") } == value + 1)
        }
        #expect(try await pool.read { try $0.logged() } == Array(0..<100))
        await pool.close()
    }

    @Test("A migration that fails, or a corrupt file, fails the opening")
    func cannotOpen() throws {
        var broken = Migrator()
        broken.add("1", "CREATE nonsense")
        #expect(throws: MigrationError.self) {
            try DatabasePool(path: directory.file("a.db"), migrator: broken)
        }
        try Data(repeating: 7, count: 9_000).write(to: URL(fileURLWithPath: directory.file("b.db")))
        let error = #expect(throws: SQLiteError.self) { try DatabasePool(path: directory.file("b.db")) }
        #expect(error?.isCorrupt == true)
    }
}

@Suite("Closing the pool", .timeLimit(.minutes(5)))
struct PoolClosingTests {
    private let directory: TemporaryDirectory
    private let pool: DatabasePool

    init() throws {
        directory = try TemporaryDirectory()
        pool = try DatabasePool(path: directory.file("pool.db"), migrator: .log)
    }

    @Test("It waits for the work already queued", arguments: [1, 50])
    @MainActor
    func waits(count: Int) async throws {
        let gate = Gate()
        let blocker = Task { try await pool.write { _ in gate.pass() } }
        await gate.arrived()
        let writes = (0..<count).map { value in Task { try await pool.write { try $0.log(value) } } }
        let reads = (0..<count).map { _ in Task { try await pool.read { try $0.count("log") } } }
        // The main actor runs its tasks in order, so everything above is queued before the close.
        let closing = Task { await pool.close() }
        await Task {}.value
        gate.open()
        await closing.value
        try await blocker.value
        for write in writes { try await write.value }
        for read in reads { _ = try await read.value }
        let database = try directory.open("pool.db")
        #expect(try database.logged() == Array(0..<count))
    }

    @Test("Calls made after it fail with an error that says so")
    func refuses() async throws {
        try await pool.write { try $0.log(1) }
        await pool.close()
        await pool.close()
        let write = await #expect(throws: SQLiteError.self) { try await pool.write { try $0.log(2) } }
        let read = await #expect(throws: SQLiteError.self) { try await pool.read { try $0.count("log") } }
        let direct = await #expect(throws: SQLiteError.self) { try await pool.withWriter { $0.changes } }
        let backup = await #expect(throws: SQLiteError.self) {
            try await pool.backup(to: directory.file("backup.db"))
        }
        for error in [write, read, direct, backup] { #expect(error?.isClosed == true) }
    }

    @Test("It leaves one file, with everything in it")
    func leavesOneFile() async throws {
        try await pool.write { try $0.log(1) }
        await pool.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["pool.db"])
        #expect(try directory.open("pool.db", mode: .readOnly).logged() == [1])
    }

    @Test("Several callers may close it at once, and all wait until it is closed")
    func concurrently() async throws {
        try await pool.write { try $0.log(1) }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    await pool.close()
                    #expect(!FileManager.default.fileExists(atPath: directory.file("pool.db-wal")))
                }
            }
        }
    }

    @Test("It closes also when the closing task is cancelled")
    func cancelled() async throws {
        let closing = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await pool.close()
        }
        await closing.value
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["pool.db"])
    }

    @Test("It ends every stream of notices and values")
    func endsStreams() async throws {
        let notices = pool.changes()
        let values = pool.observe(tables: ["log"]) { try $0.count("log") }
        var iterator = values.makeAsyncIterator()
        #expect(try await iterator.next() == 0)
        await pool.close()
        #expect(try await iterator.next() == nil)
        for await _ in notices {}
        for await _ in pool.changes() {}
        for try await _ in pool.observe(tables: ["log"], { try $0.count("log") }) {}
    }
}
