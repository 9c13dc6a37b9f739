import CNcurses

/// From what ncurses reports to a `Key`. Remembers an Escape (Alt is Escape and a key) and whether a paste goes on.
struct KeyDecoder: Sendable {
    /// Codes of our own for the marks around a paste, above those of ncurses.
    static let pasteStart = KEY_MAX + 1
    static let pasteEnd = KEY_MAX + 2

    private var isPasting = false
    private var hasEscape = false

    mutating func character(_ code: UInt32) -> Key? {
        let isAlt = hasEscape
        hasEscape = false
        switch code {
        case 0x0D, 0x0A: return isPasting || isAlt ? .newline : .enter
        case 0x1B:
            hasEscape = true
            return nil
        case 0x7F, 0x08: return isAlt ? .deleteWord : .backspace
        case 0x09: return .text(" ")
        case 0x00..<0x20: return isPasting ? nil : Self.control(code)
        default: return Unicode.Scalar(code).map { .text(String($0)) }
        }
    }

    mutating func function(_ code: Int32) -> Key? {
        hasEscape = false
        switch code {
        case Self.pasteStart:
            isPasting = true
            return nil
        case Self.pasteEnd:
            isPasting = false
            return nil
        case KEY_ENTER: return isPasting ? .newline : .enter
        case KEY_BACKSPACE: return .backspace
        case KEY_DC: return .delete
        case KEY_LEFT: return .left
        case KEY_RIGHT: return .right
        case KEY_UP: return .up
        case KEY_DOWN: return .down
        case KEY_HOME: return .home
        case KEY_END: return .end
        case KEY_PPAGE: return .pageUp
        case KEY_NPAGE: return .pageDown
        default: return nil
        }
    }

    /// Nothing more is there: an Escape was an Escape.
    mutating func pause() -> Key? {
        guard hasEscape else { return nil }
        hasEscape = false
        return .escape
    }

    private static func control(_ code: UInt32) -> Key? {
        switch Character(Unicode.Scalar(UInt8(code + 0x40))) {
        case "A": .home
        case "B": .left
        case "C": .interrupt
        case "D": .endOfInput
        case "E": .end
        case "F": .right
        case "K": .deleteToEnd
        case "L": .redraw
        case "U": .deleteToStart
        case "W": .deleteWord
        default: nil
        }
    }
}
