import ChatterModel
import Testing

@testable import ChatterViewModels

@Suite("Long messages are shortened")
struct ShorteningTests {
    // Field case 76
    @Test(
        "Each kind of longest message is shown by its beginning",
        arguments: [
            String(repeating: "a", count: Limits.messageCharacters),
            String(repeating: "\n", count: Limits.messageCharacters - 1) + "x",
            String(repeating: "👩‍👩‍👧‍👦", count: 2600), String(repeating: "https://example.org/ ", count: 190),
        ])
    func longest(text: String) throws {
        let beginning = try #require(Shortening.beginning(of: text))
        #expect(beginning.count <= Shortening.characters + 1)
        #expect(beginning.count { $0.isNewline } < Shortening.lines)
        #expect(text.hasPrefix(beginning.dropLast()) && beginning.hasSuffix("…"))
    }

    @Test("It ends between words, and leaves alone what fits")
    func words() {
        let long = String(repeating: "words and ", count: 200)
        #expect(Shortening.beginning(of: long)?.hasSuffix("and…") == true)
        for text in ["", "short", String(repeating: "a", count: 1000), "a\nb\nc"] {
            #expect(Shortening.beginning(of: text) == nil)
        }
        #expect(Shortening.beginning(of: String(repeating: "a\n", count: 19) + "b") == nil)
        #expect(Shortening.beginning(of: String(repeating: "a\n", count: 20) + "b") != nil)
    }
}
