import Foundation
import SQLite
import Testing

@Suite("A backup is whole, whatever goes on meanwhile", .timeLimit(.minutes(5)))
struct BackupTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func filled() throws -> Database {
        let database = try directory.open()
        try Migrator.log.migrate(database)
        try database.transaction { for value in 0..<2_000 { try database.log(value) } }
        return database
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { $0.hasPrefix("backup") }
    }

    @Test("It is one file, readable by its owner alone, with everything in it")
    func oneFile() throws {
        let database = try filled()
        try database.backup(to: directory.file("backup.db"))
        #expect(!database.isInTransaction)
        #expect(try files() == ["backup.db"])
        let attributes = try FileManager.default.attributesOfItem(atPath: directory.file("backup.db"))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        // Bytes 18 and 19 of a file that needs a WAL beside it are 2.
        let header = try Data(contentsOf: URL(fileURLWithPath: directory.file("backup.db"))).prefix(20)
        #expect(Array(header[18...]) == [1, 1])
        let copy = try directory.open("backup.db")
        #expect(try copy.integrityCheck() == [])
        #expect(try copy.logged() == Array(0..<2_000))
        #expect(try Migrator.log.pending(copy) == [])
    }

    @Test("It replaces an older backup, and leftovers of a broken one do not matter")
    func replaces() throws {
        let database = try filled()
        for name in ["backup.db", "backup.db.partial", "backup.db.partial-wal"] {
            try Data("leftover".utf8).write(to: URL(fileURLWithPath: directory.file(name)))
        }
        try database.backup(to: directory.file("backup.db"))
        #expect(try files() == ["backup.db"])
        #expect(try directory.open("backup.db").count("log") == 2_000)
    }

    @Test("One that fails leaves the older backup as it was")
    func fails() throws {
        let database = try filled()
        try database.backup(to: directory.file("backup.db"))
        try database.begin()
        try database.log(5_000)
        let error = #expect(throws: SQLiteError.self) { try database.backup(to: directory.file("backup.db")) }
        #expect(error?.isBusy == true)
        #expect(database.isInTransaction)
        try database.commit()
        #expect(throws: SQLiteError.self) { try database.backup(to: directory.file("nowhere/backup.db")) }
        #expect(try files() == ["backup.db"])
        #expect(try directory.open("backup.db").count("log") == 2_000)
    }

    @Test("In a directory's place it fails and leaves nothing")
    func onDirectory() throws {
        let database = try filled()
        try FileManager.default.createDirectory(
            atPath: directory.file("backup.db"), withIntermediateDirectories: false)
        #expect(throws: SQLiteError.self) { try database.backup(to: directory.file("backup.db")) }
        #expect(try files() == ["backup.db"])
    }

    @Test("An in-memory database can be backed up to a file")
    func inMemory() async throws {
        let pool = try DatabasePool(path: nil, migrator: .log)
        try await pool.write { try $0.log(1) }
        try await pool.backup(to: directory.file("backup.db"))
        #expect(try directory.open("backup.db").logged() == [1])
        await pool.close()
    }

    @Test("Backups taken while others write hold whole transactions only")
    func whileWriting() async throws {
        let pool = try DatabasePool(
            path: directory.file("pool.db"), configuration: .init(synchronous: .normal), migrator: .log)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    for round in 0..<200 {
                        // Three rows at a time, of a size that grows the file during a backup.
                        try await pool.write { database in
                            for part in 0..<3 {
                                try database.run(
                                    "INSERT INTO log (value, body) VALUES (?, ?)",
                                    (writer * 1_000 + round) * 3 + part,
                                    String(repeating: "body ", count: 100))
                            }
                        }
                    }
                }
            }
            for number in 0..<5 {
                group.addTask { try await pool.backup(to: directory.file("backup\(number).db")) }
            }
            try await group.waitForAll()
        }
        try await pool.backup(to: directory.file("backup5.db"))
        await pool.close()
        for number in 0...5 {
            let copy = try directory.open("backup\(number).db", mode: .readOnly)
            #expect(try copy.integrityCheck() == [])
            let torn = try copy.all("SELECT value / 3 FROM log GROUP BY value / 3 HAVING count(*) <> 3") {
                $0.int(0)
            }
            #expect(torn == [])
            if number == 5 { #expect(try copy.count("log") == 2_400) }
        }
    }
}
