/// The text being written and where the cursor stands, in characters as people see them: a family emoji is one, and a
/// combining mark joins the character before it.
struct LineEditor: Equatable, Sendable {
    private(set) var text = ""
    /// Characters before the cursor.
    private(set) var cursor = 0

    init(_ text: String = "") {
        self.text = text
        cursor = text.count
    }

    var beforeCursor: Substring { text.prefix(cursor) }
    var afterCursor: Substring { text.dropFirst(cursor) }

    mutating func insert(_ typed: String) {
        let before = beforeCursor + typed
        text = String(before + afterCursor)
        // Counted again: what was typed may have joined its neighbours on both sides.
        cursor = min(before.count, text.count)
    }

    mutating func deleteBackward() {
        guard cursor > 0 else { return }
        replace(before: beforeCursor.dropLast(), after: afterCursor)
    }

    mutating func deleteForward() {
        replace(before: beforeCursor, after: afterCursor.dropFirst())
    }

    /// The word before the cursor, with the spaces behind it.
    mutating func deleteWord() {
        var before = beforeCursor
        while before.last?.isWhitespace == true { before = before.dropLast() }
        while before.last?.isWhitespace == false { before = before.dropLast() }
        replace(before: before, after: afterCursor)
    }

    mutating func deleteToStart() { replace(before: "", after: afterCursor) }
    mutating func deleteToEnd() { replace(before: beforeCursor, after: "") }
    mutating func moveLeft() { cursor = max(0, cursor - 1) }
    mutating func moveRight() { cursor = min(text.count, cursor + 1) }
    mutating func moveToStart() { cursor = 0 }
    mutating func moveToEnd() { cursor = text.count }

    private mutating func replace(before: Substring, after: Substring) {
        cursor = before.count
        text = String(before + after)
        cursor = min(cursor, text.count)
    }
}
