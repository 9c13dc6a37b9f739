import SQLite
import Testing

@Suite("A commit tells which tables it changed")
struct ChangeNoticeTests {
    private final class Log {
        var notices: [Set<String>] = []
    }

    private let database: Database
    private let log = Log()

    init() throws {
        database = try .inMemory(
            """
            CREATE TABLE a (id INTEGER PRIMARY KEY, value);
            CREATE TABLE b (id INTEGER PRIMARY KEY, a INTEGER REFERENCES a (id) ON DELETE CASCADE);
            CREATE TABLE w (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
            INSERT INTO a VALUES (1, 'one'), (2, 'two');
            INSERT INTO b VALUES (1, 1), (2, 2);
            INSERT INTO w VALUES ('k', 1);
            """)
        database.onCommit = { [log] in log.notices.append($0) }
    }

    /// The notices given while `body` ran.
    private func notices(_ body: () throws -> Void) rethrows -> [Set<String>] {
        log.notices = []
        try body()
        return log.notices
    }

    @Test(
        "A statement on its own gives one notice",
        arguments: [
            ("INSERT INTO a VALUES (3, 'x')", ["a"]), ("UPDATE a SET value = 'x'", ["a"]),
            ("DELETE FROM w WHERE key = 'k'", ["w"]), ("INSERT INTO w VALUES ('l', 2)", ["w"]),
            ("UPDATE w SET value = 3", ["w"]), ("REPLACE INTO w VALUES ('k', 2)", ["w"]),
            ("INSERT INTO a VALUES (3, 'x') RETURNING id", ["a"]),
            ("WITH x AS (SELECT 9) INSERT INTO b SELECT 9, 1 FROM x", ["b"]),
        ] as [(String, Set<String>)])
    func singleStatement(sql: String, tables: Set<String>) throws {
        #expect(try notices { try database.run(sql) } == [tables])
    }

    @Test("Deleting every row at once is noticed, with a rowid or without")
    func truncate() throws {
        #expect(try notices { try database.run("DELETE FROM b") } == [["b"]])
        #expect(try notices { try database.run("DELETE FROM w") } == [["w"]])
    }

    @Test("Rows removed by a cascade, from a delete or a replace, are noticed")
    func cascade() throws {
        #expect(try notices { try database.run("DELETE FROM a WHERE id = 1") } == [["a", "b"]])
        #expect(try notices { try database.run("REPLACE INTO a VALUES (2, 'x')") } == [["a", "b"]])
        #expect(try database.count("b") == 0)
    }

    @Test("A trigger's table is noticed, also when the trigger is newer than the statement")
    func triggers() throws {
        let update = "UPDATE a SET value = ? WHERE id = 1"
        #expect(try notices { try database.run(update, "x") } == [["a"]])
        try database.run("CREATE TRIGGER t AFTER UPDATE ON a BEGIN INSERT INTO w VALUES (new.value, 1); END")
        #expect(try notices { try database.run(update, "y") } == [["a", "w"]])
        #expect(try notices { try database.run(update, "z") } == [["a", "w"]])
    }

    @Test("A trigger made in the middle of a transaction counts from then on")
    func triggerInTransaction() throws {
        let update = "UPDATE a SET value = ? WHERE id = 1"
        let seen = try notices {
            try database.transaction {
                try database.run(update, "x")
                try database.run("CREATE TRIGGER t AFTER UPDATE ON a BEGIN DELETE FROM w; END")
                try database.run(update, "y")
            }
        }
        #expect(seen.joined().contains("w"))
    }

    @Test("A statement recompiled while its rows are read keeps its new tables")
    func recompiledInRows() throws {
        let update = "UPDATE a SET value = ? WHERE id = 1 RETURNING id"
        try database.run(update, "x")
        try database.run("CREATE TRIGGER t AFTER UPDATE ON a BEGIN INSERT INTO w VALUES (new.value, 1); END")
        for round in 0..<2 {
            let seen = try notices {
                try database.transaction {
                    try database.each(update, "y\(round)") { _ in
                        _ = try database.first("SELECT \(round)") { $0.int(0) }
                    }
                }
            }
            #expect(seen == [["a", "w"]])
        }
    }

    @Test("A write that changes nothing gives no notice")
    func nothingChanged() throws {
        #expect(
            try notices {
                try database.run("UPDATE a SET value = 'x' WHERE id = 99")
                try database.run("DELETE FROM a WHERE id = 99")
                try database.run("INSERT OR IGNORE INTO a VALUES (1, 'again')")
                try database.run("INSERT INTO w VALUES ('k', 1) ON CONFLICT DO NOTHING")
                _ = try database.count("a")
                try database.transaction { _ = try database.count("a") }
            } == [])
    }

    @Test("A transaction gives one notice, after its commit, with all its tables")
    func transaction() throws {
        var wasInTransaction = true
        let seen = try notices {
            database.onCommit = { [log, unowned database] tables in
                wasInTransaction = database.isInTransaction
                log.notices.append(tables)
            }
            try database.transaction {
                for id in 10..<20 { try database.run("INSERT INTO a VALUES (?, NULL)", id) }
                try database.run("INSERT INTO w VALUES ('x', 1)")
                try database.transaction { try database.run("DELETE FROM b WHERE id = 1") }
                #expect(log.notices == [])
            }
        }
        #expect(seen == [["a", "b", "w"]])
        #expect(!wasInTransaction)
    }

    @Test("The same statement is noticed again in the next transaction")
    func nextTransaction() throws {
        for id in 10..<13 {
            #expect(try notices { try database.run("INSERT INTO a VALUES (?, NULL)", id) } == [["a"]])
        }
    }

    private struct Refused: Error {}

    @Test("A rollback gives none, and leaves none for the next commit")
    func rollback() throws {
        let seen = try notices {
            #expect(throws: Refused.self) {
                try database.transaction {
                    try database.run("INSERT INTO a VALUES (10, NULL)")
                    throw Refused()
                }
            }
            #expect(throws: SQLiteError.self) {
                try database.transaction {
                    try database.run("INSERT INTO a VALUES (10, NULL)")
                    try database.run("INSERT OR ROLLBACK INTO a VALUES (10, NULL)")
                }
            }
            #expect(throws: SQLiteError.self) { try database.run("INSERT INTO a VALUES (11, 1), (11, 2)") }
            try database.run("INSERT INTO w VALUES ('x', 1)")
        }
        #expect(seen == [["w"]])
    }

    @Test("What a failed statement left in place is noticed")
    func orFail() throws {
        let seen = notices {
            #expect(throws: SQLiteError.self) {
                try database.run("INSERT OR FAIL INTO a VALUES (50, 1), (50, 2)")
            }
        }
        #expect(try database.count("a") == 3)
        #expect(seen == [["a"]])
    }

    @Test("Scripts, and tables that come and go, are noticed")
    func schema() throws {
        let script = "CREATE TABLE n (id); INSERT INTO n VALUES (1); DROP TABLE n"
        #expect(try notices { try database.execute(script: script) }.joined().contains("n"))
        #expect(try notices { try database.run("ALTER TABLE b ADD COLUMN more") }.joined().contains("b"))
        #expect(try notices { try database.run("DROP TABLE b") }.joined().contains("b"))
    }

    @Test("A full-text table is noticed by its own name")
    func fullText() throws {
        try database.execute(script: "CREATE VIRTUAL TABLE f USING fts5 (body)")
        for body in ["hello", "world"] {
            #expect(
                try notices { try database.run("INSERT INTO f VALUES (?)", body) }.joined().contains("f"))
        }
        #expect(try notices { try database.run("DELETE FROM f") }.joined().contains("f"))
    }

    @Test("A write made by the receiver of a notice gives its own")
    func reentrant() throws {
        database.onCommit = { [log, unowned database] tables in
            log.notices.append(tables)
            guard tables == ["a"] else { return }
            #expect(throws: Never.self) { try database.run("INSERT INTO w VALUES ('from notice', 1)") }
        }
        #expect(try notices { try database.run("INSERT INTO a VALUES (3, NULL)") } == [["a"], ["w"]])
    }
}
