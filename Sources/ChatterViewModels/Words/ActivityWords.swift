/// What stands in place of a message's text, in the list and above the chat.
nonisolated enum ActivityWords {
    static let typing = "typing…"
    /// Before the text that is not sent yet.
    static let draft = "Draft:"
}
