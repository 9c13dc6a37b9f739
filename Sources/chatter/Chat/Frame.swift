/// A picture of the whole screen, before any terminal is involved.
struct Frame: Equatable, Sendable {
    struct Size: Equatable, Sendable {
        var columns: Int
        var rows: Int
    }

    enum Style: Equatable, Sendable {
        case plain, dim, bold, header, banner, error, mine, read, divider
    }

    struct Span: Equatable, Sendable {
        var text: String
        var style: Style

        init(_ text: String, _ style: Style = .plain) {
            self.text = text
            self.style = style
        }
    }

    typealias Line = [Span]

    var lines: [Line]
    var cursorRow: Int
    var cursorColumn: Int

    /// Without styles, for tests and for reading along.
    var text: String {
        lines.map { line in
            let text = line.map(\.text).joined()
            return String(text.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }
}
