extension ConversationViewModel {
    /// What is said while messages in the middle are being fetched.
    public var missingNote: String? {
        switch missing {
        case 0: nil
        case 1: "A message is being fetched…"
        default: "\(missing) messages are being fetched…"
        }
    }

    /// On the way back to the newest message; "" without new ones.
    public var newBelowBadge: String { newBelow == 0 ? "" : newBelow > 99 ? "99+" : "\(newBelow)" }

    /// What a screen reader says of it.
    public var newBelowSpoken: String {
        newBelow == 0 ? "Newest message" : Self.new(newBelow)
    }

    /// On the way to what was new.
    public var unreadSpoken: String { Self.new(unreadCount) }

    private static func new(_ count: Int) -> String {
        count == 1 ? "1 new message" : "\(count) new messages"
    }

    /// Where nothing was written yet.
    public var emptyPlaceholder: Placeholder? {
        guard isEmpty else { return nil }
        return Placeholder(
            header.map { "Say Hello to \(isolated($0.title))" } ?? "Say Hello",
            "Nothing was written here yet.")
    }
}

nonisolated extension ConversationHeader {
    /// What a screen reader says.
    public var spoken: String { subtitle.map { "\(title), \($0)" } ?? title }
}
