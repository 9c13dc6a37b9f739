/// What a keyboard can say to the chat.
enum Key: Equatable, Sendable {
    /// One scalar as the terminal sends it; the editor puts characters together.
    case text(String)
    case enter
    /// Alt-Enter, or Enter within a paste.
    case newline
    case backspace, delete, deleteWord, deleteToStart, deleteToEnd
    case left, right, home, end
    case up, down, pageUp, pageDown
    case escape
    /// Ctrl-C, and Ctrl-D on an empty line.
    case interrupt, endOfInput
    case redraw
}
