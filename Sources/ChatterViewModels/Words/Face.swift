import ChatterClient
import ChatterModel

/// What stands for a person or chat where a picture goes: the picture, or initials on a colour of their own.
nonisolated public struct Face: Hashable, Sendable {
    public var name: String
    public var initials: String
    /// The words that the initials are of: those that begin with a letter or a digit.
    public var words: String
    /// Relative to the server; nil without a picture.
    public var pictureURL: String?
    /// The account no longer exists: drawn without colour.
    public var isGone: Bool

    public init(name: String, pictureURL: String? = nil, isGone: Bool = false) {
        self.name = name
        self.pictureURL = pictureURL
        self.isGone = isGone
        let words = name.split(whereSeparator: \.isWhitespace).filter { word in
            word.first.map { $0.isLetter || $0.isNumber } ?? false
        }
        self.words = words.joined(separator: " ")
        let ends = words.count > 1 ? [words[0], words[words.count - 1]] : words
        initials = ends.compactMap { $0.first?.uppercased() }.joined()
    }

    public init(_ user: User) {
        self.init(name: PersonLabel.name(of: user), pictureURL: user.avatarURL, isGone: user.isDeleted)
    }
}
