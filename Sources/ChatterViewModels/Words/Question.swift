/// What is asked before something that is hard to take back, or that another person may notice.
nonisolated public struct Question: Hashable, Sendable {
    public var title: String
    /// What comes of it.
    public var explanation: String
    /// On the button that does it.
    public var answer: String

    static func remove(_ name: String) -> Question {
        Question(
            title: "Remove \(isolated(name)) from your friends?",
            explanation:
                "You keep the chat, but neither of you can write in it until you are friends again.",
            answer: "Remove")
    }

    static func block(_ name: String) -> Question {
        Question(
            title: "Block \(isolated(name))?",
            explanation:
                "Nothing they write reaches you, and neither of you sees the other online. They are not told.",
            answer: "Block")
    }

    static func report(_ what: String) -> Question {
        Question(
            title: "Report \(what)?", explanation: "The people who run this server will look at it.",
            answer: "Report")
    }
}
