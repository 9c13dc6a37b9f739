import Foundation
import SQLite
import Testing

@Suite("What goes wrong is told apart")
struct FailureTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func error(_ body: () throws -> Void) throws -> SQLiteError {
        try #require(#expect(throws: SQLiteError.self) { try body() })
    }

    @Test("Each constraint has its name")
    func constraints() throws {
        let database = try directory.open()
        try database.execute(
            script: """
                CREATE TABLE t (
                    id INTEGER PRIMARY KEY, name TEXT UNIQUE, age INTEGER NOT NULL CHECK (age > 0),
                    parent INTEGER REFERENCES t (id));
                CREATE TABLE k (a, b, PRIMARY KEY (a, b)) WITHOUT ROWID;
                INSERT INTO t VALUES (1, 'a', 1, NULL);
                INSERT INTO k VALUES (1, 1);
                """)
        for sql in [
            "INSERT INTO t VALUES (1, 'b', 1, NULL)", "INSERT INTO t VALUES (2, 'a', 1, NULL)",
            "INSERT INTO k VALUES (1, 1)",
        ] {
            let error = try error { try database.run(sql) }
            #expect(error.isUniqueViolation && error.isConstraint && !error.isForeignKeyViolation)
        }
        for sql in ["INSERT INTO t VALUES (2, 'b', NULL, NULL)", "INSERT INTO t VALUES (2, 'b', 0, NULL)"] {
            let error = try error { try database.run(sql) }
            #expect(error.isConstraint && !error.isUniqueViolation && !error.isTransient)
        }
        let orphan = try error { try database.run("INSERT INTO t VALUES (2, 'b', 1, 99)") }
        #expect(orphan.isForeignKeyViolation && orphan.isConstraint && !orphan.isUniqueViolation)
        #expect(try database.count("t") == 1)
    }

    @Test("A second writer is told that the file is busy, and may come back")
    func busy() throws {
        let first = try directory.open()
        let second = try directory.open()
        try first.execute(script: "CREATE TABLE t (id)")
        try first.begin()
        let error = try error { try second.transaction { try second.run("INSERT INTO t VALUES (1)") } }
        #expect(error.isBusy && error.isTransient)
        #expect(!second.isInTransaction)
        try first.commit()
        try second.transaction { try second.run("INSERT INTO t VALUES (1)") }
        #expect(try first.count("t") == 1)
    }

    @Test("A snapshot that has grown old cannot become a write")
    func staleSnapshot() throws {
        let first = try directory.open()
        let second = try directory.open()
        try first.execute(script: "CREATE TABLE t (id)")
        let error = try error {
            try second.transaction(.deferred) {
                #expect(try second.count("t") == 0)
                try first.run("INSERT INTO t VALUES (1)")
                try second.run("INSERT INTO t VALUES (2)")
            }
        }
        #expect(error.isBusy)
        #expect(try first.count("t") == 1)
    }

    @Test("A full disk fails the transaction, keeps what was there, and goes on once there is room")
    func full() throws {
        let database = try directory.open()
        try database.execute(script: "CREATE TABLE t (id INTEGER PRIMARY KEY, body BLOB)")
        try database.run("INSERT INTO t VALUES (1, zeroblob(10))")
        let pages = try database.first("PRAGMA page_count") { $0.int(0) } ?? 0
        try database.run("PRAGMA max_page_count = \(pages + 10)")
        let error = try error {
            try database.transaction {
                try database.run("INSERT INTO t VALUES (2, zeroblob(10))")
                try database.run("INSERT INTO t VALUES (3, zeroblob(1000000))")
            }
        }
        #expect(error.isFull && error.isTransient && !error.isCorrupt)
        #expect(!database.isInTransaction)
        #expect(try database.all("SELECT id FROM t") { $0.int(0) } == [1])
        try database.run("PRAGMA max_page_count = 100000")
        try database.run("INSERT INTO t VALUES (3, zeroblob(1000000))")
        #expect(try database.integrityCheck() == [])
    }

    @Test("No room for what stands beside the file is a full disk as well, and told from other failures")
    func fullBeside() {
        // IOERR_SHMSIZE: the WAL's index could not grow.
        let found = SQLiteError(code: 4874, message: "disk I/O error", foundNoRoom: true)
        #expect(found.isFull && found.isTransient && !found.isCorrupt)
        let other = SQLiteError(code: 4874, message: "disk I/O error")
        #expect(!other.isFull && !other.isTransient)
        #expect(DiskSpace.isExhausted(ENOSPC) && DiskSpace.isExhausted(EDQUOT) && !DiskSpace.isExhausted(EIO))
        #expect(!DiskSpace.isExhausted(holding: directory.file("a/b/c.db")))
        // No disk at all.
        #expect(!DiskSpace.isExhausted(holding: "/proc/nowhere"))
    }

    @Test("A read-only connection reads and refuses to write")
    func readOnly() throws {
        let writer = try directory.open()
        try writer.execute(script: "CREATE TABLE t (id); INSERT INTO t VALUES (1)")
        let reader = try directory.open(mode: .readOnly)
        #expect(try reader.count("t") == 1)
        let error = try error { try reader.run("INSERT INTO t VALUES (2)") }
        #expect(error.isReadOnly && !error.isTransient)
        #expect(try reader.count("t") == 1)
    }

    @Test("A missing file, a missing directory and a directory in place of the file are errors")
    func cannotOpen() throws {
        let missing = try error { _ = try directory.open("missing.db", mode: .readOnly) }
        #expect(!missing.isCorrupt && !missing.isTransient)
        #expect(!FileManager.default.fileExists(atPath: directory.file("missing.db")))
        let nowhere = try error { _ = try directory.open("nowhere/test.db") }
        #expect(nowhere.message.contains("nowhere/test.db"))
        #expect(throws: SQLiteError.self) { _ = try Database(path: directory.path, mode: .readWrite) }
        #expect(throws: SQLiteError.self) { _ = try Database(path: "", mode: .readWrite) }
    }

    @Test("A file that is no database is corrupt, and stays as it was")
    func noDatabase() throws {
        let text = Data(String(repeating: "this is a letter, not a database\n", count: 200).utf8)
        try text.write(to: URL(fileURLWithPath: directory.file("test.db")))
        for mode in [Database.Mode.readWrite, .readOnly] {
            let error = try error {
                try directory.open(mode: mode).execute(script: "SELECT * FROM sqlite_schema")
            }
            #expect(error.isCorrupt && !error.isTransient)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: directory.file("test.db"))) == text)
    }

    @Test("A damaged page is an error, not a crash")
    func damagedPages() throws {
        try fill(rows: 2_000)
        let url = URL(fileURLWithPath: directory.file("test.db"))
        var bytes = try Data(contentsOf: url)
        // Spares the first page, which holds the schema, so that opening succeeds.
        for index in stride(from: 4_096, to: bytes.count, by: 7) { bytes[index] = 0xA5 }
        try bytes.write(to: url)
        let database = try directory.open()
        let error = try error { _ = try database.all("SELECT body FROM t") { $0.text(0) } }
        #expect(error.isCorrupt)
        #expect(try !database.integrityCheck().isEmpty)
    }

    @Test("A file cut short is an error, not a crash")
    func cutShort() throws {
        try fill(rows: 2_000)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: directory.file("test.db")))
        try handle.truncate(atOffset: 8_192)
        try handle.close()
        let error = try error {
            let database = try directory.open()
            _ = try database.all("SELECT body FROM t") { $0.text(0) }
        }
        #expect(error.isCorrupt)
    }

    private func fill(rows: Int) throws {
        let database = try directory.open()
        try database.execute(script: "CREATE TABLE t (id INTEGER PRIMARY KEY, body TEXT)")
        try database.transaction {
            for id in 0..<rows { try database.run("INSERT INTO t VALUES (?, ?)", id, "body of row \(id)") }
        }
        #expect(try database.integrityCheck() == [])
        database.close()
    }

    @Test("What was committed is in the files at once; what was not is not")
    func filesAtAnyMoment() throws {
        let database = try directory.open()
        try database.execute(script: "CREATE TABLE t (id INTEGER PRIMARY KEY, body BLOB)")
        try database.run("INSERT INTO t VALUES (1, zeroblob(5000))")
        try database.begin()
        try database.run("PRAGMA cache_size = 1")
        for id in 2..<200 { try database.run("INSERT INTO t VALUES (?, zeroblob(5000))", id) }
        // The files as a process that dies here leaves them behind.
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: directory.file("test.db" + suffix), toPath: directory.file("copy.db" + suffix))
        }
        let copy = try directory.open("copy.db")
        #expect(try copy.all("SELECT id FROM t") { $0.int(0) } == [1])
        #expect(try copy.integrityCheck() == [])
        try database.commit()
        #expect(try database.count("t") == 199)
    }

    @Test("The files are readable by their owner alone")
    func permissions() throws {
        let database = try directory.open()
        try database.execute(script: "CREATE TABLE t (id)")
        for suffix in ["", "-wal", "-shm"] {
            let attributes = try FileManager.default.attributesOfItem(
                atPath: directory.file("test.db" + suffix))
            #expect(attributes[.posixPermissions] as? Int == 0o600, "test.db\(suffix)")
        }
        database.close()
    }

    @Test("A name that SQLite would read as an instruction is a plain file")
    func oddNames() throws {
        for name in ["file:x?mode=memory", "it's a; name", "ünïcode 👍.db", "%41.db"] {
            let database = try directory.open(name)
            try database.execute(script: "CREATE TABLE t (id); INSERT INTO t VALUES (1)")
            database.close()
            #expect(FileManager.default.fileExists(atPath: directory.file(name)))
            #expect(try directory.open(name, mode: .readOnly).count("t") == 1)
        }
    }

    @Test("A path is never taken for an instruction to SQLite", arguments: [":memory:", "file::memory:", ""])
    func instructionsAsPath(path: String) {
        #expect(throws: SQLiteError.self) { _ = try Database(path: path, mode: .readOnly) }
    }

    @Test("Opening sets up what the configuration says")
    func configuration() throws {
        let database = try Database(
            path: directory.file("test.db"), mode: .readWrite,
            configuration: .init(
                busyTimeout: .milliseconds(1_500), synchronous: .full, foreignKeys: false, cacheKilobytes: 512
            ))
        func pragma(_ name: String) throws -> String? { try database.first("PRAGMA \(name)") { $0.text(0) } }
        #expect(try pragma("journal_mode") == "wal")
        #expect(try pragma("busy_timeout") == "1500")
        #expect(try pragma("synchronous") == "2")
        #expect(try pragma("foreign_keys") == "0")
        #expect(try pragma("cache_size") == "-512")
        let plain = try Database(path: directory.file("test.db"), mode: .readWrite)
        #expect(try plain.first("PRAGMA foreign_keys") { $0.bool(0) } == true)
        #expect(try plain.first("PRAGMA synchronous") { $0.int(0) } == 2)
    }

    @Test("A checkpoint empties the WAL")
    func checkpoint() throws {
        let database = try directory.open()
        try database.execute(script: "CREATE TABLE t (id); INSERT INTO t VALUES (1)")
        let wal = directory.file("test.db-wal")
        #expect(try FileManager.default.attributesOfItem(atPath: wal)[.size] as? Int != 0)
        try database.checkpoint(truncate: true)
        #expect(try FileManager.default.attributesOfItem(atPath: wal)[.size] as? Int == 0)
        try database.checkpoint(truncate: false)
        #expect(try database.count("t") == 1)
    }

    @Test("The integrity check names a broken reference")
    func brokenReference() throws {
        let database = try directory.open()
        try database.execute(
            script: """
                CREATE TABLE p (id INTEGER PRIMARY KEY);
                CREATE TABLE c (p INTEGER REFERENCES p (id));
                PRAGMA foreign_keys = 0;
                INSERT INTO c VALUES (5);
                """)
        #expect(try database.integrityCheck() == ["row 1 of c refers to nothing in p"])
    }
}
