import Testing

@testable import chatter

@Suite("Writing a line")
struct LineEditorTests {
    @Test("Text is inserted and deleted at the cursor")
    func editing() {
        var editor = LineEditor("helo")
        editor.moveLeft()
        editor.insert("l")
        #expect(editor.text == "hello")
        #expect(editor.beforeCursor == "hell")
        editor.deleteBackward()
        editor.deleteForward()
        #expect(editor.text == "hel")
        editor.moveToStart()
        editor.deleteBackward()
        editor.insert("s")
        editor.moveToEnd()
        editor.insert("f")
        #expect(editor.text == "shelf")
    }

    @Test(
        "Backspace takes a whole character as people see it",
        arguments: ["é", "e\u{301}", "👨‍👩‍👧‍👦", "🇸🇬", "👍🏽", "각"])
    func graphemes(character: String) {
        var editor = LineEditor()
        for scalar in "a\(character)".unicodeScalars { editor.insert(String(scalar)) }
        #expect(editor.text == "a\(character)")
        #expect(editor.cursor == 2)
        editor.deleteBackward()
        #expect(editor.text == "a")
        #expect(editor.cursor == 1)
    }

    @Test("A combining mark typed in the middle joins the character before it")
    func joining() {
        var editor = LineEditor("ex")
        editor.moveLeft()
        editor.insert("\u{301}")
        #expect(editor.text == "e\u{301}x")
        #expect(editor.beforeCursor == "e\u{301}")
        editor.insert("!")
        #expect(editor.text == "e\u{301}!x")
    }

    @Test("Deleting between two halves that then join keeps the cursor within the text")
    func joinedByDeletion() {
        var editor = LineEditor("🇸-🇬")
        editor.moveLeft()
        editor.deleteBackward()
        #expect(editor.text == "🇸🇬")
        #expect(editor.cursor == 1)
    }

    @Test("Whole words and both ends of the line can be deleted")
    func words() {
        var editor = LineEditor("one two  three ")
        editor.deleteWord()
        #expect(editor.text == "one two  ")
        editor.deleteWord()
        #expect(editor.text == "one ")
        editor.moveLeft()
        editor.moveLeft()
        editor.deleteToEnd()
        #expect(editor.text == "on")
        editor.moveLeft()
        editor.deleteToStart()
        #expect(editor.text == "n")
        #expect(editor.cursor == 0)
    }
}
