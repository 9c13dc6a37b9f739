/// Text broken into lines of at most so many columns: at spaces, or within a word that is longer than a line.
enum Wrapping {
    static func lines(_ text: String, width: Int) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap {
            paragraph($0, width: max(2, width))
        }
    }

    private static func paragraph(_ text: Substring, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        var used = 0
        var lastSpace: String.Index?
        for character in text {
            let columns = TextWidth.columns(of: character)
            if used + columns > width {
                if character == " " {
                    lines.append(line)
                    (line, used, lastSpace) = ("", 0, nil)
                    continue
                }
                // The unfinished word moves down, unless it fills the line alone.
                let rest = lastSpace.map { String(line[line.index(after: $0)...]) } ?? ""
                lines.append(lastSpace.map { String(line[..<$0]) } ?? line)
                (line, used, lastSpace) = (rest, TextWidth.columns(of: rest), nil)
            }
            if character == " " { lastSpace = line.endIndex }
            line.append(character)
            used += columns
        }
        return lines + [line]
    }
}
