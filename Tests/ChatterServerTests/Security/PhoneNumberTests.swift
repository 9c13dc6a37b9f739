import ChatterModel
import Testing

@testable import ChatterServer

@Suite("Phone numbers")
struct PhoneNumberTests {
    // Field case 83
    @Test(
        "Every valid spelling has one canonical form",
        arguments: [
            ("+44 07700 900123", "+447700900123"),
            ("0044 7700 900123", "+447700900123"),
            ("+44(0)7700-900123", "+447700900123"),
            ("＋４４　７７００ ９００１２３", "+447700900123"),
            ("  +447700900123\n", "+447700900123"),
            ("+1 (415) 555-2671", "+14155552671"),
            ("+1.415.555.2671", "+14155552671"),
            ("+39 06 6982 1234", "+390669821234"),
            ("+٤٤ ٧٧٠٠ ٩٠٠١٢٣", "+447700900123"),
        ])
    func canonical(_ raw: String, _ expected: String) throws {
        #expect(try PhoneNumber.canonical(raw) == expected)
    }

    @Test(
        "Made-up numbers of the right length are for challenge mode",
        arguments: ["+15550000001", "+15559999999", "+447700900123", "+6599999999"])
    func madeUp(_ number: String) throws {
        #expect(try PhoneNumber.canonical(number) == number)
        let error = #expect(throws: APIError.self) { try PhoneNumber.inUse(number) }
        #expect(error?.details?["field"] == "phone")
    }

    @Test(
        "Real codes go only to numbers that their country has given out",
        arguments: [
            "+14155552671", "+14155550102", "+6591234567", "+390669821234", "+4915112345678", "+447400123456",
        ])
    func inUse(_ number: String) throws {
        #expect(try PhoneNumber.inUse(number) == number)
    }

    // Field case 83
    @Test(
        "What is no international number is VALIDATION_FAILED for the field `phone`",
        arguments: [
            "", " ", "+", "00", "+0", "+0123456789", "07700 900123", "０７７００ ９００１２３", "+1", "+12",
            "1234567890123456789012345678901234567890", "+1234567890123456789012345678901234567890",
            "+1 415 555 CALL", "+1 415 555 2671 ext 5", "+1 415 555 2671;ext=5", "tel:+14155552671",
            "+999 123 456", "+6599999999999", "+659999999", "+141555526710", "++14155552671",
            "+1415555267\u{0}1", "hello",
            String(repeating: "1", count: 5000),
        ])
    func refusals(_ raw: String) {
        let error = #expect(throws: APIError.self) { try PhoneNumber.canonical(raw) }
        #expect(error?.code == .validationFailed)
        #expect(error?.details?["field"] == "phone")
    }
}
