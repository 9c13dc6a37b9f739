import Foundation

/// A stretch of a message's text.
nonisolated public enum TextPiece: Hashable, Sendable {
    case plain(String)
    /// A web address, which shows nothing but itself: nobody is led elsewhere than they read.
    case link(String)
}

nonisolated extension Bubble {
    /// A few emoji and nothing else: shown bigger.
    public var isEmojiOnly: Bool { !isDeleted && EmojiText.isOnly(text) }

    /// The text with its web addresses.
    public var pieces: [TextPiece] { isDeleted ? [.plain(text)] : LinkText.pieces(text) }
}

nonisolated enum EmojiText {
    private static let most = 3
    /// A family with skin tones has some 60 bytes.
    private static let mostBytes = 200

    static func isOnly(_ text: String) -> Bool {
        guard text.utf8.count <= mostBytes else { return false }
        let characters = text.filter { !$0.isWhitespace }
        return 1...most ~= characters.count && characters.allSatisfy(isEmoji)
    }

    private static func isEmoji(_ character: Character) -> Bool {
        guard let first = character.unicodeScalars.first?.properties else { return false }
        if first.isEmojiPresentation { return true }
        // Digits and © are emoji only where something behind them says so.
        return first.isEmoji && character.unicodeScalars.contains { $0 == "\u{FE0F}" || $0 == "\u{20E3}" }
    }
}

nonisolated enum LinkText {
    static func pieces(_ text: String) -> [TextPiece] {
        guard text.contains("://"), !text.unicodeScalars.contains(where: turnsText) else {
            return [.plain(text)]
        }
        var pieces: [TextPiece] = []
        var plain = text.startIndex
        var index = text.startIndex
        while index < text.endIndex {
            let word = text[index...].prefix { !$0.isWhitespace }
            if let link = link(in: word) {
                if plain < link.startIndex { pieces.append(.plain(String(text[plain..<link.startIndex]))) }
                pieces.append(.link(String(link)))
                plain = link.endIndex
            }
            index = word.endIndex < text.endIndex ? text.index(after: word.endIndex) : word.endIndex
        }
        if plain < text.endIndex { pieces.append(.plain(String(text[plain...]))) }
        return pieces
    }

    /// Marks that let a text read other than it is stored.
    private static func turnsText(_ scalar: Unicode.Scalar) -> Bool {
        ("\u{202A}"..."\u{202E}").contains(scalar) || ("\u{2066}"..."\u{2069}").contains(scalar)
    }

    /// The address in a word, without the brackets and the stop around it. Plain ASCII only: a letter that looks like
    /// another one leads somewhere else.
    private static func link(in word: Substring) -> Substring? {
        let link = word.drop { "([{<\"'".contains($0) }
        var end = link.endIndex
        while end > link.startIndex, ".,;:!?)]}>\"'".contains(link[link.index(before: end)]) {
            end = link.index(before: end)
        }
        return isAddress(link[..<end]) ? link[..<end] : nil
    }

    private static func isAddress(_ text: Substring) -> Bool {
        guard text.utf8.count <= 2000, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }),
            let parts = URLComponents(string: String(text)),
            let scheme = parts.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = parts.percentEncodedHost, parts.user == nil, parts.password == nil
        else { return false }
        return host.contains(".") && host.utf8.allSatisfy { $0 != 0x25 }
    }
}
