import ChatterModel
import Testing

/// One user-visible character each, however many scalars, UTF-16 units and bytes it takes.
private let characters = ["a", "👨‍👩‍👧‍👦", "🇸🇬", "e\u{301}", "𝔘", "é", "\r\n", "한", "நி"]

@Suite("The length and content of a message")
struct MessageTextTests {
    // Field case 78
    @Test(
        "Exactly 4,096 characters pass and one more is refused, whatever a character is made of",
        arguments: characters)
    func characterLimit(character: String) throws {
        // One visible character at the front, so that a body of line ends is not blank.
        let rest = String(repeating: character, count: Limits.messageCharacters - 1)
        let fits = "x" + rest
        if fits.utf8.count <= Limits.messageBytes {
            try MessageText.check(fits)
        } else {
            #expect(throws: APIError.invalid("body", "must be at most 65536 bytes")) {
                try MessageText.check(fits)
            }
        }
        #expect(throws: APIError.self) { try MessageText.check(fits + character) }
    }

    @Test("Exactly 65,536 bytes pass and one more is refused, however few characters they are")
    func byteLimit() throws {
        let family = "👨‍👩‍👧‍👦"
        let families = Limits.messageBytes / family.utf8.count
        let rest = Limits.messageBytes - families * family.utf8.count
        let fits = String(repeating: family, count: families) + String(repeating: "x", count: rest)
        #expect(fits.utf8.count == Limits.messageBytes)
        #expect(fits.count < Limits.messageCharacters)
        try MessageText.check(fits)
        #expect(throws: APIError.invalid("body", "must be at most 65536 bytes")) {
            try MessageText.check(fits + "x")
        }
    }

    @Test(
        "A body that shows nothing is refused",
        arguments: [
            "", " ", "\n\t \r\n", "\u{A0}\u{3000}\u{2003}", "\u{200B}", "\u{FEFF}", "\u{2060}\u{200D}",
            "\u{202E}\u{2069}", "\u{3164}", "\u{2800}", "\u{AD}", "\u{FE0F}", "\u{7}", "\u{E0067}",
        ])
    func blank(body: String) {
        #expect(throws: APIError.invalid("body", "must not be blank")) { try MessageText.check(body) }
    }

    @Test(
        "A body is never trimmed or normalised before it is judged",
        arguments: ["  x  ", "\u{202E}abc", "e\u{301}", "\n.\n", "👍", "1️⃣", "שלום", "ู"])
    func kept(body: String) throws {
        try MessageText.check(body)
    }

    @Test("U+0000 is refused wherever it stands", arguments: ["\0", "a\0", "\0a", "a\0b"])
    func nul(body: String) {
        #expect(throws: APIError.invalid("body", "must not hold U+0000")) { try MessageText.check(body) }
    }

    @Test("A report's comment may be empty and ends at 1,000 characters")
    func comment() throws {
        try ReportComment.check("")
        try ReportComment.check(String(repeating: "é", count: 1000))
        #expect(throws: APIError.self) { try ReportComment.check(String(repeating: "é", count: 1001)) }
        #expect(throws: APIError.self) { try ReportComment.check("a\0") }
        #expect(throws: APIError.self) { try ReportComment.check(String(repeating: "👨‍👩‍👧‍👦", count: 900)) }
    }
}
