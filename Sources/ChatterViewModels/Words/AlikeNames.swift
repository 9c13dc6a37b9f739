import ChatterClient
import ChatterModel
import Foundation

/// The names of one list. Two that look the same are told apart by their usernames.
nonisolated struct AlikeNames {
    private let alike: Set<String>

    init(_ users: some Sequence<User>) {
        var seen: [String: ID<User>] = [:]
        var alike: Set<String> = []
        for user in users {
            let look = Self.look(of: PersonLabel.name(of: user))
            if let other = seen[look], other != user.id { alike.insert(look) }
            seen[look] = user.id
        }
        self.alike = alike
    }

    /// `Mark`, or `Mark (@mark2)` where another looks like that.
    func name(of user: User) -> String {
        let name = PersonLabel.name(of: user)
        guard user.displayName != nil, let handle = PersonLabel.handle(of: user),
            alike.contains(Self.look(of: name))
        else { return name }
        return "\(isolated(name)) (\(handle))"
    }

    /// Equal for names that a glance takes for one.
    static func look(of name: String) -> String {
        let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
        let plain = (isASCII ? name : name.precomposedStringWithCompatibilityMapping).lowercased()
        return String(plain.filter { !$0.isWhitespace }.map { twins[$0] ?? $0 })
    }

    /// Letters of other alphabets that look like Latin ones, and digits like letters.
    private static let twins: [Character: Character] = [
        "а": "a", "в": "b", "с": "c", "ԁ": "d", "е": "e", "һ": "h", "н": "h", "і": "i", "ј": "j", "к": "k",
        "ӏ": "l", "м": "m", "о": "o", "р": "p", "ԛ": "q", "ѕ": "s", "т": "t", "у": "y", "ԝ": "w", "х": "x",
        "α": "a", "β": "b", "ε": "e", "η": "h", "ι": "i", "κ": "k", "μ": "m", "ν": "v", "ο": "o", "ρ": "p",
        "τ": "t", "υ": "y", "χ": "x", "ζ": "z", "ı": "i", "0": "o", "1": "l", "|": "l",
    ]
}

/// A name, or other text by somebody, as a part of a sentence: its writing direction ends with it.
nonisolated func isolated(_ text: String) -> String {
    text.utf8.allSatisfy { $0 < 0x80 } ? text : "\u{2068}\(text)\u{2069}"
}
