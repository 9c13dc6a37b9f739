import ChatterTestSupport
import SQLite
import Testing

@testable import ChatterServer

@Suite("Released migrations")
struct ReleasedMigrationTests {
    /// Name and checksum of each step that a database out there may hold. A line is added with its step and never
    /// changed: a database made by the old text would be refused by the new one.
    private static let released = [
        "0001 first ec33981a611bb59d", "0002 epochs 7ecdddfda410a232",
        "0003 receipt times 2e16b77e57693b01",
    ]

    @Test("Migrations are named and never edited: their texts are those that were released, in their order")
    func unchanged() throws {
        let directory = try TemporaryDirectory()
        let database = try Database(path: directory.file("chatter.db").path, mode: .readWrite)
        defer { database.close() }
        try Schema.migrator.migrate(database)
        let steps = try database.all("SELECT name, checksum FROM migrations ORDER BY rowid") {
            "\($0.text(0)) \($0.text(1))"
        }
        #expect(steps == Self.released)
    }
}
