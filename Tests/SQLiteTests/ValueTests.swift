import Foundation
import SQLite
import Testing

@Suite("Values go in and come out unchanged")
struct ValueTests {
    private let database: Database

    init() throws {
        database = try .inMemory("CREATE TABLE v (value)")
    }

    /// Writes the value, reads it back, and also answers the type that SQLite stored.
    private func roundTrip<T>(
        _ value: (any Bindable)?, _ read: (borrowing Row) throws -> T
    ) throws -> (value: T, type: String) {
        try database.run("DELETE FROM v")
        try database.run("INSERT INTO v VALUES (?)", value)
        let row = try database.first("SELECT value, typeof(value) FROM v") { (try read($0), $0.text(1)) }
        return try #require(row)
    }

    @Test("Integers keep all 64 bits", arguments: [0, 1, -1, Int64.max, .min, Int64.max - 1, 1 << 53 + 1])
    func integers(_ value: Int64) throws {
        #expect(try roundTrip(value) { $0.int64(0) } == (value, "integer"))
        #expect(try roundTrip(Int(value)) { $0.int(0) } == (Int(value), "integer"))
        #expect(try roundTrip(Optional(value)) { $0.optionalInt64(0) } == (value, "integer"))
    }

    @Test(
        "Text comes back byte for byte",
        arguments: [
            "", "a", "fifteen bytes..", "sixteen bytes...", "nul \0 inside", "\0", "👩‍👩‍👧‍👦 e\u{301} é",
            "\u{202E}rtl",
            "it's \"quoted\"; DROP TABLE v",
        ])
    func text(_ value: String) throws {
        let (read, type) = try roundTrip(value) { $0.text(0) }
        #expect(Array(read.utf8) == Array(value.utf8))
        #expect(type == "text")
    }

    @Test("Composed and decomposed letters stay different")
    func unicodeForms() throws {
        let (read, _) = try roundTrip("e\u{301}") { $0.text(0) }
        #expect(Array(read.utf8) == [0x65, 0xCC, 0x81])
    }

    @Test("A bridged or sliced string is written whole")
    func otherStorage() throws {
        let text = "0123456789 0123456789 0123456789"
        #expect(try roundTrip(String(text.dropFirst(11))) { $0.text(0) }.value == "0123456789 0123456789")
        let foundation = NSString(string: text).appending("ä") as String
        #expect(try roundTrip(foundation) { $0.text(0) }.value == text + "ä")
    }

    @Test(
        "Blobs come back byte for byte",
        arguments: [[], [0], [0, 0, 255], [7]])
    func blobs(_ value: [UInt8]) throws {
        #expect(try roundTrip(value) { $0.blob(0) } == (value, "blob"))
        #expect(try roundTrip(Data(value)) { $0.blob(0) } == (value, "blob"))
        #expect(try roundTrip(value) { $0.withBlob(0) { $0.count } } == (value.count, "blob"))
    }

    @Test("Values of a megabyte come back whole")
    func largeValues() throws {
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) }
        #expect(try roundTrip(bytes) { $0.blob(0) }.value == bytes)
        let text = String(repeating: "zehn Bytes", count: 100_000)
        #expect(try roundTrip(text) { $0.text(0) }.value == text)
    }

    @Test("A slice of data keeps its own bytes")
    func slicedData() throws {
        let slice = Data([1, 2, 3, 4, 5])[2...3]
        #expect(try roundTrip(slice) { $0.blob(0) } == ([3, 4], "blob"))
    }

    @Test(
        "Floating point numbers keep their bits",
        arguments: [
            0, -0.0, 1.5, .pi, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
        ])
    func doubles(_ value: Double) throws {
        let (read, type) = try roundTrip(value) { $0.double(0) }
        #expect(read == value)
        #expect(type == "real")
    }

    @Test("Not-a-number is stored as NULL")
    func notANumber() throws {
        #expect(try roundTrip(Double.nan) { $0.isNull(0) } == (true, "null"))
    }

    @Test("Booleans are 0 and 1")
    func booleans() throws {
        #expect(try roundTrip(true) { $0.bool(0) } == (true, "integer"))
        #expect(try roundTrip(false) { $0.int(0) } == (0, "integer"))
    }

    @Test("Nothing is NULL, and differs from empty")
    func nothing() throws {
        #expect(try roundTrip(nil) { $0.isNull(0) } == (true, "null"))
        #expect(try roundTrip(String?.none) { $0.optionalText(0) } == (nil, "null"))
        #expect(try roundTrip([UInt8]?.none) { $0.optionalBlob(0) } == (nil, "null"))
        #expect(try roundTrip(Int?.none) { $0.optionalInt(0) } == (nil, "null"))
        #expect(try roundTrip(Double?.none) { $0.optionalDouble(0) } == (nil, "null"))
        #expect(try roundTrip(Bool?.none) { $0.optionalBool(0) } == (nil, "null"))
        #expect(try roundTrip("") { $0.optionalText(0) } == ("", "text"))
        #expect(try roundTrip([UInt8]()) { $0.optionalBlob(0) } == ([], "blob"))
    }

    @Test("An optional inside an optional unwraps all the way")
    func nestedOptional() throws {
        let value: Int?? = .some(.none)
        #expect(try roundTrip(value as any Bindable) { $0.isNull(0) } == (true, "null"))
    }

    @Test("NULL reads as zero or empty where no optional is asked for")
    func nullWithoutOptional() throws {
        #expect(try roundTrip(nil) { $0.int(0) }.value == 0)
        #expect(try roundTrip(nil) { $0.text(0) }.value.isEmpty)
        #expect(try roundTrip(nil) { $0.blob(0) }.value == [])
        #expect(try roundTrip(nil) { $0.double(0) }.value == 0)
        #expect(try roundTrip(nil) { $0.bool(0) }.value == false)
    }

    private enum Status: String, Bindable { case sent }
    private struct Identifier: RawRepresentable, Bindable { let rawValue: Int }
    private struct Stamp: Bindable {
        let seconds: Double
        func bind(to statement: Statement, at index: Int32) throws(SQLiteError) {
            try seconds.bind(to: statement, at: index)
        }
    }

    @Test("Other modules' types are bound by declaring or forwarding")
    func ownTypes() throws {
        #expect(try roundTrip(Status.sent) { $0.text(0) } == ("sent", "text"))
        #expect(try roundTrip(Identifier(rawValue: 7)) { $0.int(0) } == (7, "integer"))
        #expect(try roundTrip(Stamp(seconds: 1.5)) { $0.double(0) } == (1.5, "real"))
        #expect(try roundTrip(Status?.none) { $0.isNull(0) } == (true, "null"))
    }

    @Test("A row knows its columns")
    func columns() throws {
        let names = try database.first("SELECT 1 AS one, 2 AS two") { row in
            (0..<row.columnCount).map { "\(row.name($0))=\(row.int($0))" }
        }
        #expect(names == ["one=1", "two=2"])
        #expect(try database.first("SELECT 1") { $0.name(5) + $0.text(5) } == "")
    }
}
