/// A phone number as people write and paste it, down to what counts.
nonisolated struct WrittenNumber: Hashable, Sendable {
    /// ASCII, whatever script they were written in.
    var digits = ""
    /// A `+` stands before the first digit.
    var hasPlus = false

    /// nil when something in it is no part of a number.
    init?(_ text: String) {
        // Scalar by scalar: an invisible mark may be part of a digit's character.
        for scalar in text.unicodeScalars {
            if let digit = Self.digit(scalar) {
                digits.append(digit)
            } else if Self.plusSigns.contains(scalar) {
                guard digits.isEmpty, !hasPlus else { return nil }
                hasPlus = true
            } else if !Self.separates(scalar) {
                return nil
            }
        }
    }

    /// What follows `+` or `00`: it begins with a calling code. nil for a national number.
    var international: String? {
        hasPlus ? digits : digits.hasPrefix("00") ? String(digits.dropFirst(2)) : nil
    }

    /// The decimal digits of a text, in ASCII, and nothing else of it.
    static func digits(in text: String) -> String {
        String(text.unicodeScalars.compactMap(digit))
    }

    private static func digit(_ scalar: Unicode.Scalar) -> Character? {
        guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue else {
            return nil
        }
        return String(Int(value)).first
    }

    /// Dashes, spaces and brackets of any kind, and marks that nobody sees.
    private static func separates(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .format, .dashPunctuation, .spaceSeparator, .openPunctuation, .closePunctuation: true
        default: scalar.properties.isWhitespace || signs.contains(scalar)
        }
    }

    /// A blank, or a mark that comes along with copied text.
    static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar.properties.generalCategory == .format
    }

    private static let plusSigns: Set<Unicode.Scalar> = ["+", "\u{FF0B}", "\u{FE62}"]

    /// Dots, slashes, and what is no dash by its category: the minus, and the mark that stands for one in Japan.
    private static let signs: Set<Unicode.Scalar> = [
        ".", "/", "\u{FF0E}", "\u{FF0F}", "\u{00B7}", "\u{2022}", "\u{2212}", "\u{30FC}",
    ]
}
