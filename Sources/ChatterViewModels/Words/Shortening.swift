/// The beginning of a text that is too long to be shown as a whole.
nonisolated enum Shortening {
    static let characters = 1000
    static let lines = 20

    /// nil when the text is short enough. Ends between words where there are any.
    static func beginning(of text: String) -> String? {
        guard text.utf8.count > lines else { return nil }
        var end = text.startIndex
        var (count, breaks) = (0, 0)
        while end < text.endIndex, count < characters {
            if text[end].isNewline {
                breaks += 1
                if breaks == lines { break }
            }
            end = text.index(after: end)
            count += 1
        }
        guard end < text.endIndex else { return nil }
        let head = text[..<end]
        let word = head.suffix(80).lastIndex(where: \.isWhitespace)
        return (word.map { head[..<$0] } ?? head) + "…"
    }
}
