import ChatterClient
import ChatterModel

/// What stands for a person or chat where a picture goes: the picture, or initials on a colour of their own.
nonisolated public struct Face: Hashable, Sendable {
    public var name: String
    public var initials: String
    /// Relative to the server; nil without a picture.
    public var pictureURL: String?

    public init(name: String, pictureURL: String? = nil) {
        self.name = name
        self.pictureURL = pictureURL
        initials = Self.initials(of: name)
    }

    public init(_ user: User) {
        self.init(name: PersonLabel.name(of: user), pictureURL: user.avatarURL)
    }

    /// The first letters of the first and the last word; what begins with no letter or digit gives none.
    private static func initials(of name: String) -> String {
        let words = name.split(whereSeparator: \.isWhitespace)
        guard let first = words.first else { return "" }
        let chosen = words.count > 1 ? [first, words[words.count - 1]] : [first]
        return chosen.compactMap(\.first).filter { $0.isLetter || $0.isNumber }.map { $0.uppercased() }
            .joined()
    }
}
