import CNcurses
import Testing

@testable import chatter

@Suite("From terminal codes to keys")
struct KeyDecoderTests {
    @Test("Enter sends, but Alt-Enter and Enter within a paste begin a new line")
    func enter() {
        var decoder = KeyDecoder()
        #expect(decoder.character(0x0D) == .enter)
        #expect(decoder.character(0x1B) == nil)
        #expect(decoder.character(0x0D) == .newline)
        #expect(decoder.character(0x0D) == .enter)
        #expect(decoder.function(KeyDecoder.pasteStart) == nil)
        #expect(decoder.character(0x0D) == .newline)
        #expect(decoder.character(0x03) == nil)
        #expect(decoder.function(KeyDecoder.pasteEnd) == nil)
        #expect(decoder.character(0x0D) == .enter)
    }

    @Test("Escape alone is a key once nothing follows it")
    func escape() {
        var decoder = KeyDecoder()
        #expect(decoder.pause() == nil)
        #expect(decoder.character(0x1B) == nil)
        #expect(decoder.pause() == .escape)
        #expect(decoder.pause() == nil)
    }

    @Test("Letters of any script arrive as text, control codes as what they do")
    func text() {
        var decoder = KeyDecoder()
        #expect(decoder.character(0x61) == .text("a"))
        #expect(decoder.character(0x1F600) == .text("😀"))
        #expect(decoder.character(0x03) == .interrupt)
        #expect(decoder.character(0x17) == .deleteWord)
        #expect(decoder.character(0x7F) == .backspace)
        #expect(decoder.character(0x1D) == nil)
        #expect(decoder.character(0xD800) == nil)
        #expect(decoder.function(KEY_PPAGE) == .pageUp)
    }
}
