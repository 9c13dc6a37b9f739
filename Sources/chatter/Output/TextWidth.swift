import CNcurses
import Glibc

/// How many terminal columns text takes, by the C library's table: the one that ncurses draws by.
enum TextWidth {
    /// Chooses UTF-8 whatever the environment says: a bare machine has no locale, but its terminal draws UTF-8.
    static func prepare() {
        if setlocale(LC_ALL, "") == nil || String(cString: nl_langinfo(Int32(CODESET))) != "UTF-8" {
            setlocale(LC_ALL, "C.UTF-8")
        }
    }

    static func columns(of text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + columns(of: $1) }
    }

    static func columns(of character: Character) -> Int {
        character.unicodeScalars.reduce(0) { $0 + columns(of: $1) }
    }

    static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - columns(of: text)))
    }

    /// As much of the text as fits, with … when something is missing.
    static func shortened(_ text: String, to width: Int) -> String {
        guard columns(of: text) > width else { return text }
        var kept = ""
        var used = 0
        for character in text {
            let next = columns(of: character)
            guard used + next <= width - 1 else { break }
            kept.append(character)
            used += next
        }
        return width > 0 ? kept + "…" : ""
    }

    /// As much of the text's end as fits, and how many columns it takes.
    static func end(of text: String, in width: Int) -> (text: Substring, columns: Int) {
        var (start, used) = (text.endIndex, 0)
        while start > text.startIndex {
            let previous = text.index(before: start)
            let next = columns(of: text[previous])
            guard used + next <= width else { break }
            (start, used) = (previous, used + next)
        }
        return (text[start...], used)
    }

    private static func columns(of scalar: Unicode.Scalar) -> Int {
        scalar.isASCII ? 1 : max(0, Int(chatter_columns(wchar_t(scalar.value))))
    }
}
