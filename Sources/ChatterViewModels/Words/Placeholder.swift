/// What stands where a list would while there is none: what that means, and what helps.
nonisolated public struct Placeholder: Hashable, Sendable {
    public var title: String
    /// "" where the title says it all.
    public var sentence: String

    init(_ title: String, _ sentence: String = "") {
        self.title = title
        self.sentence = sentence
    }
}
