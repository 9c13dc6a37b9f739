/// Other people's text, made harmless for a terminal: no escape sequences, no text that runs backwards over its
/// neighbours. What is stored and sent stays as it is.
enum Printable {
    /// Keeps line breaks; a tab becomes spaces.
    static func text(_ text: String) -> String {
        var clean = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": clean.append(scalar)
            case "\t": clean.append(contentsOf: "    ".unicodeScalars)
            case "\r": continue
            case _ where reordering.contains(scalar.value): continue
            case _ where scalar.properties.generalCategory == .control: clean.append("\u{FFFD}")
            case "\u{2028}", "\u{2029}": clean.append("\n")
            default: clean.append(scalar)
            }
        }
        return String(clean)
    }

    /// The same on one line.
    static func line(_ text: String) -> String {
        self.text(text).split(separator: "\n").joined(separator: " ")
    }

    /// Embeddings, overrides and isolates of the bidirectional algorithm, and its marks.
    private static let reordering: Set<UInt32> = Set(0x202A...0x202E).union(0x2066...0x2069)
        .union([0x200E, 0x200F, 0x061C])
}
