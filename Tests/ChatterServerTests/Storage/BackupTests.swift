import ChatterModel
import ChatterTestSupport
import SQLite
import Testing

@testable import ChatterServer

@Suite("Backups and upgrades", .timeLimit(.minutes(5)))
struct BackupTests {
    @Test("A backup made while messages pour in is whole and of one moment")
    func backupWhileWriting() async throws {
        let scene = try await StorageScene()
        for number in 0..<2000 { scene.enqueue("early \(number)") }
        async let writing: Void = {
            for number in 0..<500 { try await scene.insert("late \(number)") }
        }()
        await scene.storage.flush()
        let directory = try TemporaryDirectory()
        let copy = directory.file("copy.db").path
        try await scene.storage.backup(to: copy)
        try await writing
        let database = try Database(path: copy, mode: .readOnly)
        #expect(try database.integrityCheck().isEmpty)
        let texts = try database.all("SELECT text FROM notes ORDER BY id") { $0.text(0) }
        #expect(texts.prefix(2000) == (0..<2000).map { "early \($0)" }[...])
        #expect(texts.dropFirst(2000).enumerated().allSatisfy { $1 == "late \($0)" })
        await scene.close()
    }

    @Test("A database opens again with everything in it")
    func reopen() async throws {
        let scene = try await StorageScene()
        try await scene.insert("kept")
        await scene.close()
        let again = try StorageScene.open(scene.path, StorageOptions(), Deliveries())
        #expect(try await again.read { try $0.all("SELECT text FROM notes") { $0.text(0) } } == ["kept"])
        await again.close()
    }

    @Test("A database of a newer version is refused, with its steps by name")
    func newerSchema() async throws {
        let scene = try await StorageScene()
        try await scene.storage.write {
            try $0.database.run("INSERT INTO migrations VALUES ('0099 later', '', '')")
        }
        await scene.close()
        let error = #expect(throws: MigrationError.self) {
            try StorageScene.open(scene.path, StorageOptions(), Deliveries())
        }
        #expect(error == .newerSchema(unknown: ["0099 later"]))
    }

    @Test("The tables refuse what the code must never write")
    func constraints() async throws {
        let scene = try await StorageScene()
        let wrong = [
            "INSERT INTO users (id, workspace_id, created_at, position) VALUES ('u', 'no workspace', 0, 1)",
            "INSERT INTO conversations VALUES ('c', 'w', 'direct', 'b', 'a', 0, 0, 0, 0, 1)",
            "INSERT INTO members (conversation_id, user_id, read_seq, delivered_seq, position) VALUES ('c', 'u', 2, 1, 1)",
        ]
        for sql in wrong {
            let error = await #expect(throws: SQLiteError.self) {
                try await scene.storage.write { try $0.database.run(sql) }
            }
            #expect(error?.isConstraint == true, "\(sql)")
        }
        await scene.close()
    }
}
