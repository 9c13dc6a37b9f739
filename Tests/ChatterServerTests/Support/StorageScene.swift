import ChatterModel
import ChatterTestSupport
import Foundation
import SQLite
import Synchronization

@testable import ChatterServer

/// A storage with its events recorded, and a table to write to.
final class StorageScene: Sendable {
    let storage: Storage
    private let directory: TemporaryDirectory
    let path: String
    let deliveries = Deliveries()

    init(_ change: (inout StorageOptions) -> Void = { _ in }) async throws {
        directory = try TemporaryDirectory()
        path = directory.file("test.db").path
        var options = StorageOptions()
        change(&options)
        storage = try Self.open(path, options, deliveries)
        try await storage.write {
            try $0.database.run("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT UNIQUE)")
        }
    }

    static func open(_ path: String, _ options: StorageOptions, _ deliveries: Deliveries) throws -> Storage {
        try Storage(
            path: path, clock: SystemClock(), random: SeededBytes(seed: 1), options: options
        ) { deliveries.add($0) }
    }

    func insert(_ text: String) async throws {
        try await storage.write { try $0.database.run("INSERT INTO notes (text) VALUES (?)", text) }
    }

    func notes() async throws -> [String] {
        try await storage.read { try $0.all("SELECT text FROM notes ORDER BY id") { $0.text(0) } }
    }

    /// Keeps the writing thread busy until `open` is called, so that what is queued meanwhile is one group.
    func holdWriter() async -> Gate {
        let gate = Gate()
        storage.enqueue { _ in
            gate.pass()
        } failed: { _ in
        }
        await gate.reached()
        return gate
    }

    func close() async { await storage.close() }
}

/// Stops a thread until a test lets it pass.
final class Gate: @unchecked Sendable {  // `isOpen` and `isReached` are guarded by `condition`
    private let condition = NSCondition()
    private var isOpen = false
    private var isReached = false
    private var waiter: CheckedContinuation<Void, Never>?

    func pass() {
        condition.withLock {
            isReached = true
            waiter?.resume()
            waiter = nil
            while !isOpen { condition.wait() }
        }
    }

    func reached() async {
        await withCheckedContinuation { continuation in
            condition.withLock {
                if isReached { continuation.resume() } else { waiter = continuation }
            }
        }
    }

    func open() {
        condition.withLock {
            isOpen = true
            condition.broadcast()
        }
    }
}

/// What was handed to the hub, and when it matters a look at the moment of it.
final class Deliveries: Sendable {
    private struct State {
        var events: [ServerEvent] = []
        var onDelivery: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    var events: [ServerEvent] { state.withLock { $0.events } }

    func onDelivery(_ work: @escaping @Sendable () -> Void) { state.withLock { $0.onDelivery = work } }

    func add(_ outgoing: [Outgoing]) {
        let work = state.withLock { state in
            state.events += outgoing.map(\.frame.event)
            return state.onDelivery
        }
        work?()
    }
}

/// A list that several threads write to.
final class Recorder<Value: Sendable>: Sendable {
    private let state = Mutex<[Value]>([])
    var values: [Value] { state.withLock { $0 } }
    func add(_ value: Value) { state.withLock { $0.append(value) } }
}
