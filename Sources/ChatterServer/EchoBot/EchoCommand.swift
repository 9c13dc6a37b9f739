import ChatterModel

/// What somebody asks of the echo bot. Anything that is no command is answered with itself.
enum EchoCommand: Sendable, Equatable {
    case echo
    /// So many answers at once, 1...100.
    case burst(Int)
    /// The answer comes so many seconds after the message, 1...600.
    case late(Int)
    /// Delivered, never read, never answered.
    case quiet
    case help

    init(_ body: String) {
        let words = body.lowercased().split(whereSeparator: \.isWhitespace)
        switch (words.first, words.count) {
        case ("help", 1): self = .help
        case ("quiet", 1): self = .quiet
        case ("burst", 2): self = Self.number(words[1], upTo: 100).map { .burst($0) } ?? .help
        case ("late", 2): self = Self.number(words[1], upTo: 600).map { .late($0) } ?? .help
        default: self = .echo
        }
    }

    /// nil for what is no number within the bounds: the help says how it is meant.
    private static func number(_ word: Substring, upTo limit: Int) -> Int? {
        guard let number = Int(word), (1...limit).contains(number) else { return nil }
        return number
    }

    /// The bot's answers to a message of this text.
    func answers(to body: String) -> [String] {
        switch self {
        case .echo, .late: [body]
        case .burst(let count): (1...count).map { "\($0) of \(count)" }
        case .quiet: []
        case .help: [Self.words]
        }
    }

    private static let words = """
        I answer with your own words. I also know:
        burst N – N answers at once, at most 100
        late S – your words after S seconds, at most 600
        quiet – delivered, but neither read nor answered
        """
}
