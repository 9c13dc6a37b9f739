/// Which way a text runs.
nonisolated public enum TextDirection: Hashable, Sendable {
    case leftToRight, rightToLeft

    /// By its first letter; nil for digits, emoji and the like, which run as their surroundings do.
    init?(_ text: some StringProtocol) {
        let letter = text.unicodeScalars.first { $0.properties.isAlphabetic }
        guard let letter else { return nil }
        self = Self.scripts.contains { $0.contains(letter.value) } ? .rightToLeft : .leftToRight
    }

    /// Hebrew, Arabic, Syriac, Thaana, N’Ko and their neighbours; their presentation forms; the old scripts.
    private static let scripts: [ClosedRange<UInt32>] = [
        0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF,
    ]
}

nonisolated extension Bubble {
    /// Of the line that the time stands in.
    public var endDirection: TextDirection? {
        text.split(whereSeparator: \.isNewline).last.flatMap { TextDirection($0) }
    }
}
