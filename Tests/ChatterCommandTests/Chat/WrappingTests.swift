import Testing

@testable import chatter

@Suite("Breaking text into lines")
struct WrappingTests {
    init() { TextWidth.prepare() }

    @Test(
        "Lines break at spaces, long words within",
        arguments: [
            ("one two three", 7, ["one two", "three"]), ("one two", 7, ["one two"]),
            ("one two ", 7, ["one two", ""]),
            ("abcdefgh", 3, ["abc", "def", "gh"]), ("a bcdefg", 4, ["a", "bcde", "fg"]), ("", 5, [""]),
            ("a\n\nb", 5, ["a", "", "b"]), ("日本語", 4, ["日本", "語"]), ("👨‍👩‍👧‍👦👍", 8, ["👨‍👩‍👧‍👦", "👍"]),
        ])
    func breaking(text: String, width: Int, lines: [String]) {
        #expect(Wrapping.lines(text, width: width) == lines)
    }

    @Test("No line is wider than asked, whatever the text")
    func widths() {
        let text = "Ein 漢字 satz with naïve e\u{301} and 👍🏽👍🏽👍🏽 and averyveryverylongwordindeed"
        for width in 2...40 {
            let lines = Wrapping.lines(text, width: width)
            // A character wider than the line stands alone.
            #expect(lines.allSatisfy { TextWidth.columns(of: $0) <= width || $0.count == 1 })
            #expect(lines.joined().replacing(" ", with: "") == text.replacing(" ", with: ""))
        }
    }

    @Test("Shortened text ends with … and fits")
    func shortened() {
        #expect(TextWidth.shortened("hello", to: 5) == "hello")
        #expect(TextWidth.shortened("hello!", to: 5) == "hell…")
        #expect(TextWidth.shortened("日本語", to: 5) == "日本…")
        #expect(TextWidth.shortened("日本語", to: 4) == "日…")
        #expect(TextWidth.shortened("x", to: 0) == "")
    }
}
