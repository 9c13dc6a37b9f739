import ChatterModel
import ChatterTestSupport
import Foundation
import SQLite
import Testing

@testable import ChatterServer

@Suite("Committing in groups", .timeLimit(.minutes(5)))
struct GroupCommitTests {
    @Test("Two hundred writers share one commit, and so one sync")
    func sharedCommit() async throws {
        let scene = try await StorageScene()
        let gate = await scene.holdWriter()
        let before = scene.storage.statistics
        async let written: Void = withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 { group.addTask { try await scene.insert("note \(number)") } }
            try await group.waitForAll()
        }
        try await scene.untilWaiting(200)
        gate.open()
        try await written
        let after = scene.storage.statistics
        // The job at the gate is a group of its own.
        #expect(after.groups - before.groups == 2)
        #expect(after.jobs - before.jobs == 201)
        #expect(try await scene.notes().count == 200)
        await scene.close()
    }

    @Test("A group is bounded; the rest goes into the next")
    func groupLimit() async throws {
        let scene = try await StorageScene { $0.groupLimit = 10 }
        let before = scene.storage.statistics.groups
        let gate = await scene.holdWriter()
        for number in 0..<25 { scene.enqueue("note \(number)") }
        gate.open()
        await scene.storage.flush()
        #expect(scene.storage.statistics.groups - before == 4)
        #expect(try await scene.notes().count == 25)
        await scene.close()
    }

    @Test("Jobs run in the order of the calls")
    func order() async throws {
        let scene = try await StorageScene()
        for number in 0..<500 { scene.enqueue("note \(number)") }
        await scene.storage.flush()
        #expect(try await scene.notes() == (0..<500).map { "note \($0)" })
        await scene.close()
    }

    @Test("A job that fails after it wrote is undone alone, and publishes nothing")
    func failureAfterWrite() async throws {
        let scene = try await StorageScene()
        let gate = await scene.holdWriter()
        let failures = Recorder<ErrorCode>()
        scene.enqueue("first", event: .pong)
        scene.storage.enqueue { transaction in
            try transaction.database.run("INSERT INTO notes (text) VALUES ('undone')")
            transaction.publish(.syncChanged, to: ID("somebody"))
            transaction.afterCommit { failures.add(.internalError) }
            throw APIError(.forbidden, "no")
        } failed: { error in
            if let error = error as? APIError { failures.add(error.code) }
        }
        scene.enqueue("last", event: .pong)
        gate.open()
        await scene.storage.flush()
        #expect(try await scene.notes() == ["first", "last"])
        #expect(failures.values == [.forbidden])
        #expect(scene.deliveries.events == [.pong, .pong])
        await scene.close()
    }

    @Test("A job that fails before it wrote costs the others nothing: no body runs twice")
    func failureBeforeWrite() async throws {
        let scene = try await StorageScene()
        let gate = await scene.holdWriter()
        let runs = Recorder<String>()
        for number in 0..<3 {
            scene.storage.enqueue { transaction in
                runs.add("good \(number)")
                try transaction.database.run("INSERT INTO notes (text) VALUES (?)", "note \(number)")
            } failed: { _ in
            }
            scene.storage.enqueue { _ in
                runs.add("bad \(number)")
                throw APIError(.notFriends, "no")
            } failed: { _ in
            }
        }
        gate.open()
        await scene.storage.flush()
        #expect(runs.values == (0..<3).flatMap { ["good \($0)", "bad \($0)"] })
        #expect(try await scene.notes().count == 3)
        await scene.close()
    }

    @Test("A broken rule of the schema is that job's error alone")
    func constraint() async throws {
        let scene = try await StorageScene()
        try await scene.insert("taken")
        let gate = await scene.holdWriter()
        scene.enqueue("before")
        let refused = Task { try await scene.insert("taken") }
        try await scene.untilWaiting(2)
        scene.enqueue("after")
        gate.open()
        let error = await #expect(throws: SQLiteError.self) { try await refused.value }
        #expect(error?.isUniqueViolation == true)
        await scene.storage.flush()
        #expect(try await scene.notes() == ["taken", "before", "after"])
        await scene.close()
    }

    @Test("Events leave after the commit: whoever gets one finds what it tells of")
    func eventsAfterCommit() async throws {
        let scene = try await StorageScene()
        let seen = Recorder<Int>()
        let (path, deliveries) = (scene.path, scene.deliveries)
        deliveries.onDelivery {
            do {
                let reader = try Database(path: path, mode: .readOnly)
                seen.add(try reader.first("SELECT count(*) FROM notes") { $0.int(0) } ?? 0)
            } catch {
                Issue.record(error)
            }
        }
        scene.enqueue("note", event: .pong)
        await scene.storage.flush()
        #expect(seen.values == [1])
        await scene.close()
    }

    @Test("First the events, then what was to run after the commit, then the answer")
    func orderAfterCommit() async throws {
        let scene = try await StorageScene()
        let steps = Recorder<String>()
        scene.deliveries.onDelivery { steps.add("event") }
        try await scene.storage.write { transaction in
            transaction.afterCommit { steps.add("after") }
            transaction.publish(.pong, to: ID("somebody"))
        }
        steps.add("answer")
        #expect(steps.values == ["event", "after", "answer"])
        await scene.close()
    }

    @Test("Whatever is committed stays: positions go on above it after a restart")
    func positions() async throws {
        let scene = try await StorageScene()
        let first = try await scene.storage.write { transaction in
            (0..<3).map { _ in transaction.nextPosition() }
        }
        #expect(first == first.sorted() && Set(first).count == 3)
        await #expect(throws: APIError.self) {
            // A job that is undone may have been the one that moved the stored counter.
            try await scene.storage.write { transaction in
                for _ in 0..<30_000 { _ = transaction.nextPosition() }
                try transaction.database.run("INSERT INTO notes (text) VALUES ('undone')")
                throw APIError(.forbidden, "no")
            }
        }
        let second = try await scene.storage.write { $0.nextPosition() }
        #expect(second > first[2])
        await scene.close()
        let reopened = try StorageScene.open(scene.path, StorageOptions(), Deliveries())
        let third = try await reopened.write { $0.nextPosition() }
        #expect(third > second)
        await reopened.close()
    }

    @Test("Ids grow with every call, also within one millisecond and when the clock goes back")
    func ids() {
        var source = IDSource(random: SeededBytes(seed: 7))
        let times: [Int64] =
            Array(repeating: 1_790_000_000_000, count: 5000) + [1_789_999_999_000, 1_790_000_001_000]
        let ids = times.map { source.next(at: Timestamp(milliseconds: $0)) }
        #expect(ids == ids.sorted())
        #expect(Set(ids).count == ids.count)
        #expect(ids.allSatisfy { $0.count == 36 && Array($0)[14] == "7" && "89ab".contains(Array($0)[19]) })
    }

    @Test("On the caller, a job added by another's effects runs as well")
    func inline() async throws {
        let scene = try await StorageScene { $0.execution = .inline }
        let storage = scene.storage
        try await storage.write { transaction in
            try transaction.database.run("INSERT INTO notes (text) VALUES ('first')")
            transaction.afterCommit {
                storage.enqueue {
                    try $0.database.run("INSERT INTO notes (text) VALUES ('second')")
                } failed: { _ in
                }
            }
        }
        #expect(try await scene.notes() == ["first", "second"])
        await scene.close()
    }

    @Test("The write-ahead log starts over while commits go on: it does not grow with each of them")
    func checkpoints() async throws {
        let scene = try await StorageScene { $0.checkpointJobs = 50 }
        let first = try logGeneration(scene.path)
        var number = 0
        // Ends by the suite's time limit if the log never starts over.
        while try logGeneration(scene.path) == first {
            try Task.checkCancellation()
            number += 1
            try await scene.insert("note \(number)")
        }
        #expect(number > 50)
        #expect(try await scene.notes().count == number)
        await scene.close()
    }
}

@Suite("Checkpoints", .timeLimit(.minutes(5)))
struct CheckpointTests {
    @Test(
        "What was committed while the log was being moved is moved by the writer, and then the log starts over"
    )
    func writerMovesTheRest() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("test.db").path
        let pool = try DatabasePool(path: path)
        let database = try Database(path: path, mode: .readWrite)
        try database.run("PRAGMA wal_autocheckpoint = 0")
        try database.run("CREATE TABLE notes (text TEXT)")
        var options = StorageOptions()
        options.checkpointJobs = 10
        let checkpoints = Checkpoints(pool: pool, options: options, log: .off)
        checkpoints.committed(9, on: database)
        #expect(!checkpoints.isWaitingForWriter)
        checkpoints.committed(1, on: database)
        while !checkpoints.isWaitingForWriter {
            try Task.checkCancellation()
            await Task.yield()
        }
        try database.run("INSERT INTO notes VALUES ('committed meanwhile')")
        let before = try logGeneration(path)
        checkpoints.committed(1, on: database)
        try database.run("INSERT INTO notes VALUES ('first of the new log')")
        #expect(try logGeneration(path) != before)
        // Counting starts again.
        #expect(!checkpoints.isWaitingForWriter)
        database.close()
        await pool.close()
    }
}

extension StorageScene {
    func enqueue(_ text: String, event: ServerEvent? = nil) {
        storage.enqueue { transaction in
            try transaction.database.run("INSERT INTO notes (text) VALUES (?)", text)
            if let event { transaction.publish(event, to: ID("somebody")) }
        } failed: { _ in
        }
    }

    /// Yields until this many jobs wait behind the gate.
    func untilWaiting(_ count: Int) async throws {
        while storage.statistics.waiting < count {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}

/// SQLite puts new salts into the log's header whenever it starts over.
func logGeneration(_ path: String) throws -> [UInt8] {
    let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path + "-wal"))
    defer { try? handle.close() }
    try handle.seek(toOffset: 16)
    return try handle.read(upToCount: 8).map { [UInt8]($0) } ?? []
}
