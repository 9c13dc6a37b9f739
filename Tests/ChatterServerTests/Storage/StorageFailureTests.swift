import ChatterModel
import Foundation
import SQLite
import Testing

@testable import ChatterServer

@Suite("A storage that refuses", .timeLimit(.minutes(5)))
struct StorageFailureTests {
    @Test("A full disk fails the whole group, acknowledges nothing, and is over when there is space")
    func fullDisk() async throws {
        let scene = try await StorageScene()
        try await scene.insert("before")
        try await scene.limitPages(to: 60)
        let gate = await scene.holdWriter()
        let outcomes = Recorder<ErrorCode?>()
        for number in 0..<10 {
            scene.storage.enqueue { transaction in
                let text = "\(number) " + String(repeating: "x", count: number == 7 ? 400_000 : 10)
                try transaction.database.run("INSERT INTO notes (text) VALUES (?)", text)
                transaction.publish(.pong, to: ID("somebody"))
            } failed: { error in
                outcomes.add((error as? APIError)?.code)
            }
        }
        gate.open()
        await scene.storage.flush()
        #expect(outcomes.values == Array(repeating: .unavailable, count: 10))
        #expect(scene.deliveries.events.isEmpty)
        #expect(try await scene.notes() == ["before"])
        #expect(scene.storage.statistics.failedGroups == 1)
        try await scene.limitPages(to: 1_000_000)
        try await scene.insert("after")
        #expect(try await scene.notes() == ["before", "after"])
        await scene.close()
    }

    @Test("The answer to a group that the disk refused says when to come back")
    func retryAfter() async throws {
        let scene = try await StorageScene()
        try await scene.limitPages(to: 60)
        let error = await #expect(throws: APIError.self) {
            try await scene.insert(String(repeating: "x", count: 400_000))
        }
        #expect(error?.code == .unavailable)
        #expect(error?.retryAfter != nil)
        await scene.close()
    }

    @Test("A job that hides a full disk from us does not get the rest of its group committed piece by piece")
    func swallowedFailure() async throws {
        let scene = try await StorageScene()
        try await scene.limitPages(to: 60)
        let gate = await scene.holdWriter()
        let failures = Recorder<ErrorCode?>()
        let note: @Sendable (any Error) -> Void = { failures.add(($0 as? APIError)?.code) }
        scene.storage.enqueue(
            { try $0.database.run("INSERT INTO notes (text) VALUES ('one')") }, failed: note)
        scene.storage.enqueue(
            { transaction in
                do {
                    try transaction.database.run("INSERT INTO notes (text) VALUES (zeroblob(400000))")
                } catch {
                    // What a careless handler would do; SQLite has given up the transaction.
                    try transaction.database.rollback()
                }
            }, failed: note)
        scene.storage.enqueue(
            { try $0.database.run("INSERT INTO notes (text) VALUES ('two')") }, failed: note)
        gate.open()
        await scene.storage.flush()
        #expect(failures.values == [.unavailable, .unavailable, .unavailable])
        #expect(try await scene.notes().isEmpty)
        await scene.close()
    }

    @Test("A commit that fails answers nobody with success")
    func failedCommit() async throws {
        let scene = try await StorageScene()
        let gate = await scene.holdWriter()
        let failures = Recorder<ErrorCode?>()
        let note: @Sendable (any Error) -> Void = { failures.add(($0 as? APIError)?.code) }
        scene.storage.enqueue(
            { transaction in
                try transaction.database.run("INSERT INTO notes (text) VALUES ('one')")
                transaction.publish(.pong, to: ID("somebody"))
            }, failed: note)
        scene.storage.enqueue(
            { transaction in
                // Checked at the commit only: the commit itself is what fails.
                try transaction.database.run("PRAGMA defer_foreign_keys = 1")
                try transaction.database.run(
                    "INSERT INTO devices VALUES ('d', 'nobody', '', '', 0, 0, 1, 0, 0, 0)")
            }, failed: note)
        gate.open()
        await scene.storage.flush()
        #expect(failures.values == [.unavailable, .unavailable])
        #expect(scene.deliveries.events.isEmpty)
        #expect(try await scene.notes().isEmpty)
        try await scene.insert("after")
        await scene.close()
    }

    @Test("While another process holds the database a write is refused in time, and works afterwards")
    func busy() async throws {
        let scene = try await StorageScene { $0.database.busyTimeout = .milliseconds(1) }
        let other = try Database(path: scene.path, mode: .readWrite)
        try other.begin(.immediate)
        await refused(.unavailable) { try await scene.insert("note") }
        try other.rollback()
        other.close()
        try await scene.insert("note")
        #expect(try await scene.notes() == ["note"])
        await scene.close()
    }

    @Test("A full queue refuses at once and says when to come back")
    func fullQueue() async throws {
        let scene = try await StorageScene { $0.queueLimit = 3 }
        let gate = await scene.holdWriter()
        for number in 0..<3 { scene.enqueue("note \(number)") }
        let error = await #expect(throws: APIError.self) { try await scene.insert("one too many") }
        #expect(error?.code == .unavailable)
        #expect(error?.retryAfter == 1)
        gate.open()
        await scene.storage.flush()
        #expect(try await scene.notes().count == 3)
        await scene.close()
    }

    @Test("Closing commits what is queued and refuses what comes later")
    func close() async throws {
        let scene = try await StorageScene()
        let gate = await scene.holdWriter()
        for number in 0..<20 { scene.enqueue("note \(number)") }
        async let closed: Void = scene.close()
        gate.open()
        await closed
        await refused(.unavailable) { try await scene.insert("late") }
        // Everything is in the one file.
        #expect(!FileManager.default.fileExists(atPath: scene.path + "-wal"))
        let database = try Database(path: scene.path, mode: .readOnly)
        #expect(try database.first("SELECT count(*) FROM notes") { $0.int(0) } == 20)
    }
}

extension StorageScene {
    /// The disk seems full above this size.
    fileprivate func limitPages(to count: Int) async throws {
        try await storage.write { try $0.database.run("PRAGMA max_page_count = \(count)") }
    }
}
