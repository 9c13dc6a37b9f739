import SQLite
import Testing

private struct Refused: Error, Equatable { var number = 0 }

@Suite("A transaction happens whole or not at all")
struct TransactionTests {
    private let directory: TemporaryDirectory
    private let database: Database

    init() throws {
        directory = try TemporaryDirectory()
        database = try directory.open()
        try database.execute(script: "CREATE TABLE t (id INTEGER PRIMARY KEY)")
    }

    private func insert(_ id: Int) throws {
        try database.run("INSERT INTO t VALUES (?)", id)
    }

    private func ids() throws -> [Int] {
        try database.all("SELECT id FROM t ORDER BY id") { $0.int(0) }
    }

    @Test("Its result comes back and its rows stay")
    func commits() throws {
        let result = try database.transaction {
            try insert(1)
            try insert(2)
            #expect(database.isInTransaction)
            return "done"
        }
        #expect(result == "done")
        #expect(!database.isInTransaction)
        #expect(try directory.open(mode: .readOnly).count("t") == 2)
    }

    @Test("An error undoes everything and is passed on")
    func rollsBack() throws {
        try insert(1)
        #expect(throws: Refused(number: 7)) {
            try database.transaction {
                try insert(2)
                throw Refused(number: 7)
            }
        }
        #expect(try ids() == [1])
        #expect(!database.isInTransaction)
    }

    @Test("SQLite's own error undoes the statements before it too")
    func rollsBackOnConstraint() throws {
        let error = #expect(throws: SQLiteError.self) {
            try database.transaction {
                try insert(1)
                try insert(1)
            }
        }
        #expect(error?.isUniqueViolation == true)
        #expect(try ids() == [])
    }

    @Test("A nested transaction undoes only its own part")
    func nested() throws {
        try database.transaction {
            try insert(1)
            #expect(throws: Refused()) {
                try database.transaction {
                    try insert(2)
                    try database.savepoint { try insert(3) }
                    throw Refused()
                }
            }
            try database.transaction { try insert(4) }
            #expect(throws: Refused()) {
                try database.savepoint {
                    try insert(5)
                    throw Refused()
                }
            }
            #expect(database.isInTransaction)
        }
        #expect(try ids() == [1, 4])
    }

    @Test("An outer error undoes the nested parts that had succeeded")
    func outerError() throws {
        #expect(throws: Refused()) {
            try database.transaction {
                try database.transaction { try insert(1) }
                throw Refused()
            }
        }
        #expect(try ids() == [])
    }

    @Test("A savepoint outside a transaction is one itself")
    func outermostSavepoint() throws {
        try database.savepoint {
            try insert(1)
            #expect(database.isInTransaction)
        }
        #expect(throws: Refused()) {
            try database.savepoint {
                try insert(2)
                throw Refused()
            }
        }
        #expect(try ids() == [1])
        #expect(!database.isInTransaction)
    }

    @Test("Begin, commit and rollback work by hand")
    func byHand() throws {
        try database.begin()
        try insert(1)
        try database.commit()
        try database.begin(.deferred)
        try insert(2)
        try database.rollback()
        #expect(try ids() == [1])
        #expect(throws: SQLiteError.self) { try database.commit() }
        #expect(throws: SQLiteError.self) { try database.rollback() }
    }

    @Test("A broken reference found only at the commit undoes the transaction")
    func deferredForeignKey() throws {
        try database.execute(
            script: "CREATE TABLE child (parent INTEGER REFERENCES t (id) DEFERRABLE INITIALLY DEFERRED)")
        let error = #expect(throws: SQLiteError.self) {
            try database.transaction {
                try insert(1)
                try database.run("INSERT INTO child VALUES (99)")
            }
        }
        #expect(error?.isForeignKeyViolation == true)
        #expect(!database.isInTransaction)
        #expect(try ids() == [])
        try database.transaction {
            try database.run("INSERT INTO child VALUES (1)")
            try insert(1)
        }
        #expect(try database.count("child") == 1)
    }

    /// Makes SQLite roll back the open transaction by itself, as a full disk may.
    private func rollBackUnderneath() {
        #expect(throws: SQLiteError.self) { try database.run("INSERT OR ROLLBACK INTO t VALUES (1), (1)") }
        #expect(!database.isInTransaction)
    }

    @Test("A body that goes on after its transaction was rolled back writes nothing")
    func rolledBackUnderneath() throws {
        let error = #expect(throws: SQLiteError.self) {
            try database.transaction {
                try insert(2)
                rollBackUnderneath()
                try insert(3)
            }
        }
        #expect(error?.isTransient == false)
        #expect(try ids() == [])
        try database.transaction { try insert(4) }
        #expect(try ids() == [4])
    }

    @Test("A body that swallows that error fails at the commit")
    func rolledBackAndIgnored() throws {
        #expect(throws: SQLiteError.self) { try database.transaction { rollBackUnderneath() } }
        #expect(throws: SQLiteError.self) {
            try database.transaction { try database.savepoint { rollBackUnderneath() } }
        }
        #expect(try ids() == [])
    }

    @Test("Random nesting ends where a model of it ends", arguments: 0..<20)
    func randomNesting(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        var model: [Int] = []
        var next = 0

        func block(_ depth: Int) throws {
            for _ in 0..<random.below(5) {
                if depth < 5, random.below(3) == 0 {
                    let before = model
                    do {
                        let isSavepoint = random.below(2) == 0
                        try isSavepoint
                            ? database.savepoint { try block(depth + 1) }
                            : database.transaction { try block(depth + 1) }
                    } catch is Refused {
                        model = before
                    }
                } else {
                    next += 1
                    model.append(next)
                    try insert(next)
                }
            }
            if depth > 0, random.below(3) == 0 { throw Refused() }
        }

        for _ in 0..<10 { try block(0) }
        #expect(try ids() == model)
        #expect(!database.isInTransaction)
    }
}

/// A small seeded generator, so that a failing seed can be run again.
struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
