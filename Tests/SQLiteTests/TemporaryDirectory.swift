import Foundation
import SQLite

/// A directory that lives as long as the test that holds it.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("sqlite-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            print("left behind: \(path): \(error)")
        }
    }

    func file(_ name: String) -> String { path + "/" + name }

    func open(_ name: String = "test.db", mode: Database.Mode = .readWrite) throws -> Database {
        try Database(
            path: file(name), mode: mode, configuration: .init(busyTimeout: .zero, synchronous: .normal))
    }
}

extension Database {
    static func inMemory(_ script: String = "") throws -> Database {
        let database = try Database(path: "", mode: .memory)
        try database.execute(script: script)
        return database
    }

    func count(_ table: String) throws -> Int {
        try first("SELECT count(*) FROM \(table)") { $0.int(0) } ?? -1
    }
}

extension Migrator {
    /// One table, `log (id, value UNIQUE)`.
    static let log: Migrator = {
        var migrator = Migrator()
        migrator.add("1-log", "CREATE TABLE log (id INTEGER PRIMARY KEY, value INTEGER UNIQUE, body TEXT)")
        return migrator
    }()
}

extension Database {
    func log(_ value: Int) throws(SQLiteError) {
        try run("INSERT INTO log (value) VALUES (?)", value)
    }

    func logged() throws -> [Int] {
        try all("SELECT value FROM log ORDER BY id") { $0.int(0) }
    }
}

/// Holds a thread until the test lets it go; tells the test that the thread has arrived.
final class Gate: Sendable {
    private let arrival = AsyncStream.makeStream(of: Void.self)
    private let semaphore = DispatchSemaphore(value: 0)

    /// Blocks the calling thread, which must be a connection's own.
    func pass() {
        arrival.continuation.yield()
        semaphore.wait()
    }

    func arrived() async {
        for await _ in arrival.stream { return }
    }

    func open() { semaphore.signal() }
}
