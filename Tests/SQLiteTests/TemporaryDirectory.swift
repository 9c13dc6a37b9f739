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
