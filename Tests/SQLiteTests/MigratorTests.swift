import SQLite
import Testing

@Suite("A schema is brought up to date once, in order, and never quietly changed")
struct MigratorTests {
    private let directory: TemporaryDirectory
    private let database: Database

    init() throws {
        directory = try TemporaryDirectory()
        database = try directory.open()
    }

    private func migrator(_ steps: (String, String)...) -> Migrator {
        var migrator = Migrator()
        for (name, sql) in steps { migrator.add(name, sql) }
        return migrator
    }

    private let first = ("1-people", "CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT)")
    private let second = (
        "2-ages", "ALTER TABLE people ADD COLUMN age INTEGER; CREATE INDEX ages ON people (age)"
    )
    private let third = ("3-pets", "CREATE TABLE pets (owner INTEGER REFERENCES people (id))")

    private func applied() throws -> [String] {
        try database.all("SELECT name FROM migrations ORDER BY rowid") { $0.text(0) }
    }

    @Test("All steps run in order on an empty file")
    func fresh() throws {
        let all = migrator(first, second, third)
        #expect(try all.pending(database) == ["1-people", "2-ages", "3-pets"])
        try all.migrate(database)
        #expect(try applied() == ["1-people", "2-ages", "3-pets"])
        #expect(try all.pending(database) == [])
        try database.run("INSERT INTO people (name, age) VALUES ('a', 3)")
        let stamp = try database.first("SELECT applied_at FROM migrations") { $0.text(0) }
        #expect(stamp?.count == 24 && stamp?.hasSuffix("Z") == true)
    }

    @Test("Only the missing steps run, and what was there stays")
    func grows() throws {
        try migrator(first).migrate(database)
        try database.run("INSERT INTO people (name) VALUES ('a')")
        let grown = migrator(first, second)
        #expect(try grown.pending(database) == ["2-ages"])
        try grown.migrate(database)
        try grown.migrate(database)
        #expect(try applied() == ["1-people", "2-ages"])
        #expect(try database.count("people") == 1)
    }

    @Test("The same file opened again is up to date")
    func reopened() throws {
        try migrator(first, second).migrate(database)
        database.close()
        let again = try directory.open(mode: .readOnly)
        #expect(try migrator(first, second).pending(again) == [])
        #expect(try migrator(first, second, third).pending(again) == ["3-pets"])
    }

    @Test("A newer build's file is refused and left alone")
    func newerSchema() throws {
        try migrator(first, second, third).migrate(database)
        let older = migrator(first)
        #expect(throws: MigrationError.newerSchema(unknown: ["2-ages", "3-pets"])) {
            try older.migrate(database)
        }
        #expect(try applied() == ["1-people", "2-ages", "3-pets"])
    }

    @Test("An edited step is refused, before anything new runs")
    func edited() throws {
        try migrator(first, second).migrate(database)
        let edited = migrator(first, (second.0, second.1 + " "), third)
        #expect(throws: MigrationError.edited("2-ages")) { try edited.migrate(database) }
        #expect(try applied() == ["1-people", "2-ages"])
    }

    @Test("A step slipped in before an applied one is refused")
    func slippedIn() throws {
        try migrator(first, third).migrate(database)
        #expect(throws: MigrationError.edited("2-ages")) {
            try migrator(first, second, third).migrate(database)
        }
    }

    @Test("Two steps of one name are refused")
    func sameName() throws {
        let error = #expect(throws: MigrationError.self) {
            try migrator(first, (first.0, third.1)).migrate(database)
        }
        guard case .failed("1-people", _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(throws: SQLiteError.self) { try database.count("people") }
    }

    @Test("A failing step undoes itself alone, and the next start goes on there")
    func failing() throws {
        let broken = migrator(
            first, ("2-broken", "CREATE TABLE half (id); INSERT INTO nowhere VALUES (1)"), third)
        let error = #expect(throws: MigrationError.self) { try broken.migrate(database) }
        guard case .failed("2-broken", let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.message.contains("nowhere"))
        #expect(error?.description.contains("2-broken") == true)
        #expect(try applied() == ["1-people"])
        #expect(!database.isInTransaction)
        #expect(throws: SQLiteError.self) { try database.count("half") }
        try migrator(first, ("2-mended", "CREATE TABLE half (id)"), third).migrate(database)
        #expect(try applied() == ["1-people", "2-mended", "3-pets"])
    }

    private struct Odd: Error {}

    @Test("A step in Swift runs once, in its transaction")
    func closureStep() throws {
        var migrator = migrator(first)
        migrator.add("2-fill") { database in
            #expect(database.isInTransaction)
            for name in ["a", "b"] { try database.run("INSERT INTO people (name) VALUES (?)", name) }
        }
        try migrator.migrate(database)
        try migrator.migrate(database)
        #expect(try database.count("people") == 2)
        migrator.add("3-odd") { database in
            try database.run("DELETE FROM people")
            throw Odd()
        }
        let error = #expect(throws: MigrationError.self) { try migrator.migrate(database) }
        #expect(error?.description.contains("Odd") == true)
        #expect(try database.count("people") == 2)
    }

    @Test("Rebuilding a parent table keeps the children")
    func rebuild() throws {
        let base = (
            "1",
            "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p REFERENCES p (id) ON DELETE CASCADE)"
        )
        try migrator(base).migrate(database)
        try database.execute(script: "INSERT INTO p VALUES (1); INSERT INTO c VALUES (1)")
        let rebuild = (
            "2",
            """
            CREATE TABLE q (id INTEGER PRIMARY KEY, name TEXT);
            INSERT INTO q SELECT id, 'x' FROM p;
            DROP TABLE p;
            ALTER TABLE q RENAME TO p;
            """
        )
        try migrator(base, rebuild).migrate(database)
        #expect(try database.count("c") == 1)
        #expect(try database.first("PRAGMA foreign_keys") { $0.bool(0) } == true)
        try database.run("DELETE FROM p")
        #expect(try database.count("c") == 0)
    }

    @Test("A step that leaves a broken reference is undone")
    func brokenReference() throws {
        try migrator(first, third).migrate(database)
        let broken = migrator(first, third, ("4", "INSERT INTO pets VALUES (99)"))
        let error = #expect(throws: MigrationError.self) { try broken.migrate(database) }
        guard case .failed("4", let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.isForeignKeyViolation)
        #expect(try database.count("pets") == 0)
        #expect(try database.first("PRAGMA foreign_keys") { $0.bool(0) } == true)
    }

    @Test("A file that cannot be written says so")
    func readOnly() throws {
        let reader = try directory.open(mode: .readOnly)
        let error = #expect(throws: MigrationError.self) { try migrator(first).migrate(reader) }
        guard case .failed("migrations", let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.isReadOnly)
    }
}
