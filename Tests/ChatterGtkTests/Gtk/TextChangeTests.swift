import Testing

@testable import ChatterGtk

@Suite("A key typed on a text that the model has changed meanwhile")
struct TextChangeTests {
    nonisolated struct Case: CustomTestStringConvertible {
        var shown: String
        var written: String
        var model: String
        var result: String

        init(_ shown: String, typed written: String, model: String, becomes result: String) {
            (self.shown, self.written, self.model, self.result) = (shown, written, model, result)
        }

        var testDescription: String { "\(shown) → \(written), \(shown) → \(model): \(result)" }
    }

    @Test(
        "It is typed into the model's text",
        arguments: [
            // Nothing changed meanwhile.
            Case("on", typed: "one", model: "on", becomes: "one"),
            Case("one", typed: "oe", model: "one", becomes: "oe"),
            // It was sent.
            Case("one", typed: "onet", model: "", becomes: "t"),
            Case("onet", typed: "onetw", model: "t", becomes: "tw"),
            Case("one", typed: "oxne", model: "", becomes: "x"),
            Case("one", typed: "on", model: "", becomes: ""),
            Case("one", typed: "", model: "", becomes: ""),
            Case("ооо", typed: "оооо", model: "", becomes: "о"),
            // It was put back, or a stored draft came.
            Case("", typed: "t", model: "one", becomes: "onet"),
            Case("ab", typed: "a", model: "ab next", becomes: "a next"),
            // A number was grouped.
            Case("5551", typed: "55512", model: "555 1", becomes: "555 12"),
            Case("5551", typed: "5555", model: "555 1", becomes: "555 5"),
            Case("5551", typed: "551", model: "555 1", becomes: "55 1"),
            // What does not fit was cut off.
            Case("1234567", typed: "12345678", model: "123456", becomes: "1234568"),
            // Replaced as a whole.
            Case("one", typed: "x", model: "uno", becomes: "x"),
            Case("👍🏽", typed: "👍🏽!", model: "", becomes: "!"),
        ])
    func merging(_ one: Case) {
        let typed = TextChange(from: one.shown, to: one.written)
        #expect(typed.after(TextChange(from: one.shown, to: one.model)) == one.result)
    }
}
