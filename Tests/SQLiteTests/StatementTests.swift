import SQLite
import Testing

@Suite("Statements run once, whole, and give their rows in order")
struct StatementTests {
    private let database: Database

    init() throws {
        database = try .inMemory("CREATE TABLE t (id INTEGER PRIMARY KEY, value TEXT)")
    }

    @Test("Values may be a list made at run time")
    func valueList() throws {
        let values: [(any Bindable)?] = [7, "seven"]
        try database.run("INSERT INTO t VALUES (?, ?)", values)
        try database.run("INSERT INTO t VALUES (?, ?)", [8, nil])
        try database.run("INSERT INTO t VALUES (?, ?)", 9, nil)
        let wanted: [(any Bindable)?] = [7, 9]
        #expect(
            try database.all("SELECT value FROM t WHERE id IN (?, ?)", wanted) { $0.text(0) } == [
                "seven", "",
            ])
        #expect(try database.first("SELECT value FROM t WHERE id = ?", [7]) { $0.text(0) } == "seven")
        var seen: [Int] = []
        try database.each("SELECT id FROM t WHERE id > ?", [7]) { seen.append($0.int(0)) }
        #expect(seen == [8, 9])
    }

    @Test("Too few or too many values are refused before anything is written")
    func valueCount() throws {
        for values: [(any Bindable)?] in [[], [1], [1, "a", "b"]] {
            let error = #expect(throws: SQLiteError.self) {
                try database.run("INSERT INTO t VALUES (?, ?)", values)
            }
            #expect(error?.sql == "INSERT INTO t VALUES (?, ?)")
        }
        #expect(throws: SQLiteError.self) { try database.run("INSERT INTO t VALUES (?, ?)", 1) }
        #expect(throws: SQLiteError.self) { try database.run("INSERT INTO t VALUES (?, ?)", 1, "a", "b") }
        #expect(try database.count("t") == 0)
        try database.run("INSERT INTO t VALUES (?, ?)", 1, "a")
        #expect(try database.count("t") == 1)
    }

    @Test("A numbered parameter may stand twice")
    func numberedParameters() throws {
        #expect(try database.first("SELECT ?1 + ?1 * ?2", 2, 10) { $0.int(0) } == 22)
    }

    @Test("Only a script may hold several statements")
    func severalStatements() throws {
        let two = "INSERT INTO t VALUES (1, 'a'); DELETE FROM t"
        #expect(throws: SQLiteError.self) { try database.run(two) }
        #expect(throws: SQLiteError.self) { try database.run(" -- nothing\n") }
        #expect(throws: SQLiteError.self) { try database.run("") }
        #expect(try database.count("t") == 0)
        try database.run("INSERT INTO t VALUES (2, 'b'); -- one, with a remark\n")
        try database.execute(script: two + ";\n\n-- the end\n")
        #expect(try database.count("t") == 0)
        try database.execute(script: "")
        try database.execute(script: "\n ; -- nothing\n;")
    }

    @Test("A script stops at its first error and names that statement alone")
    func scriptError() throws {
        let error = #expect(throws: SQLiteError.self) {
            try database.execute(
                script: "INSERT INTO t VALUES (1, 'é'); INSERT INTO t VALUES (1, 'b'); DELETE FROM t")
        }
        #expect(error?.isUniqueViolation == true)
        #expect(error?.sql == " INSERT INTO t VALUES (1, 'b');")
        #expect(try database.all("SELECT value FROM t") { $0.text(0) } == ["é"])
    }

    @Test("An error carries the statement but no value")
    func errorText() throws {
        try database.run("INSERT INTO t VALUES (?, ?)", 1, "secret")
        let error = #expect(throws: SQLiteError.self) {
            try database.run("INSERT INTO t VALUES (?, ?)", 1, "secret")
        }
        #expect(error?.description.contains("INSERT INTO t VALUES (?, ?)") == true)
        #expect(error?.description.contains("t.id") == true)
        #expect(error?.description.contains("secret") == false)
    }

    @Test("A statement may run inside its own rows")
    func sameStatementNested() throws {
        for id in 1...3 { try database.run("INSERT INTO t VALUES (?, NULL)", id) }
        var pairs: [String] = []
        try database.each("SELECT id FROM t ORDER BY id") { outer in
            let first = outer.int(0)
            try database.each("SELECT id FROM t ORDER BY id") { pairs.append("\(first)\($0.int(0))") }
        }
        #expect(pairs == ["11", "12", "13", "21", "22", "23", "31", "32", "33"])
    }

    private struct Stop: Error {}

    @Test("A body that throws leaves the statement fit for its next use")
    func throwingBody() throws {
        for id in 1...3 { try database.run("INSERT INTO t VALUES (?, NULL)", id) }
        #expect(throws: Stop.self) { try database.each("SELECT id FROM t") { _ in throw Stop() } }
        #expect(throws: Stop.self) { try database.all("SELECT id FROM t") { _ in throw Stop() } }
        #expect(try database.all("SELECT id FROM t") { $0.int(0) } == [1, 2, 3])
    }

    @Test("A failed statement works again once the reason is gone")
    func failedStatement() throws {
        let insert = "INSERT INTO t VALUES (?, ?)"
        try database.run(insert, 1, "a")
        #expect(throws: SQLiteError.self) { try database.run(insert, 1, "a") }
        try database.run("DELETE FROM t WHERE id = ?", 1)
        try database.run(insert, 1, "b")
        #expect(try database.all("SELECT value FROM t") { $0.text(0) } == ["b"])
    }

    @Test("The first row of a RETURNING statement leaves the whole statement done")
    func returning() throws {
        let insert = "INSERT INTO t VALUES (?, 'a'), (?, 'b') RETURNING id"
        #expect(try database.first(insert, 1, 2) { $0.int(0) } == 1)
        #expect(try database.count("t") == 2)
        #expect(!database.isInTransaction)
        #expect(database.totalChanges == 2)
    }

    @Test("More statements than the cache holds all keep working")
    func cacheOverflow() throws {
        let small = try Database(path: "", mode: .memory, configuration: .init(statementCacheSize: 4))
        for round in 0..<3 {
            for number in 0..<20 {
                #expect(try small.first("SELECT \(number) + ?", round) { $0.int(0) } == number + round)
            }
        }
    }

    @Test("Statements that differ in one letter are not taken for each other")
    func similarStatements() throws {
        let padding = String(repeating: " ", count: 200)
        for letter in 0..<50 {
            let sql = "SELECT\(padding)'\(letter % 10)\(letter / 10)'\(padding)AS x"
            #expect(try database.first(sql) { $0.text(0) } == "\(letter % 10)\(letter / 10)")
        }
    }

    @Test("A pragma acts each time it is run", arguments: ["foreign_keys", "cache_size"])
    func pragmas(name: String) throws {
        for _ in 0..<3 {
            for value in 0...1 {
                try database.run("PRAGMA \(name) = \(value)")
                #expect(try database.first("PRAGMA \(name)") { $0.int(0) } == value)
            }
        }
    }

    @Test("A statement left before its last row still reports what its end found")
    func errorAtTheEnd() throws {
        try database.run("CREATE TABLE c (parent INTEGER REFERENCES t (id) DEFERRABLE INITIALLY DEFERRED)")
        let error = #expect(throws: SQLiteError.self) {
            try database.first("INSERT INTO c VALUES (99) RETURNING parent") { $0.int(0) }
        }
        #expect(error?.isForeignKeyViolation == true)
        #expect(try database.count("c") == 0)
    }

    @Test("A cached statement follows a change of the schema")
    func schemaChange() throws {
        try database.run("INSERT INTO t VALUES (1, 'a')")
        #expect(try database.first("SELECT * FROM t") { $0.columnCount } == 2)
        try database.run("ALTER TABLE t ADD COLUMN more TEXT DEFAULT 'm'")
        #expect(try database.first("SELECT * FROM t") { $0.text(2) } == "m")
    }

    @Test("Counts and row ids are those of the last write")
    func counts() throws {
        try database.run("INSERT INTO t (value) VALUES ('a'), ('b'), ('c')")
        #expect(database.changes == 3)
        #expect(database.lastInsertRowID == 3)
        try database.run("UPDATE t SET value = 'x' WHERE id > 1")
        #expect(database.changes == 2)
        #expect(database.totalChanges == 5)
    }

    @Test("A closed database answers every call with an error")
    func closed() throws {
        try database.run("INSERT INTO t VALUES (1, 'a')")
        database.close()
        database.close()
        let error = #expect(throws: SQLiteError.self) { try database.run("INSERT INTO t VALUES (2, 'b')") }
        #expect(error?.isClosed == true)
        #expect(error?.isTransient == false)
        #expect(throws: SQLiteError.self) { try database.count("t") }
        #expect(throws: SQLiteError.self) { try database.execute(script: "SELECT 1") }
        #expect(throws: SQLiteError.self) { try database.transaction {} }
        #expect(throws: SQLiteError.self) { try database.checkpoint(truncate: true) }
        #expect(throws: SQLiteError.self) { try database.integrityCheck() }
        #expect(database.changes == 0 && database.totalChanges == 0 && database.lastInsertRowID == 0)
        #expect(!database.isInTransaction)
        database.interrupt()
    }

    @Test("Closing in the middle of a query does not crash it")
    func closedMeanwhile() throws {
        for id in 1...3 { try database.run("INSERT INTO t VALUES (?, 'value')", id) }
        var seen: [String] = []
        try database.each("SELECT value FROM t") { row in
            database.close()
            seen.append(row.text(0))
        }
        #expect(seen == ["value", "value", "value"])
        #expect(throws: SQLiteError.self) { try database.count("t") }
    }
}
