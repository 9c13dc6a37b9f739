/// What one can do with a message.
nonisolated public enum MessageAction: Hashable, Sendable {
    case copy
    case details
    case retry
    /// Gives up a message that was not sent.
    case discard
    /// `Bubble.deleteChoices` tell for whom.
    case delete
    case report

    /// An ellipsis says that a question comes first.
    public var title: String {
        switch self {
        case .copy: "Copy"
        case .details: "Details"
        case .retry: "Try Again"
        case .discard: "Don’t Send"
        case .delete: "Delete…"
        case .report: "Report…"
        }
    }
}

nonisolated extension Bubble {
    /// In the order of the menu, by its sections.
    public var actions: [[MessageAction]] {
        let isUnsent = tick == .sending || tick == .failed
        return [
            canCopy ? [.copy, .details] : [.details],
            (canRetry ? [.retry] : []) + (isUnsent ? [.discard] : [.delete]),
            canReport ? [.report] : [],
        ].filter { !$0.isEmpty }
    }
}

/// For whom a message is deleted.
nonisolated public enum DeleteChoice: Hashable, Sendable {
    case forMe, forEveryone

    public var title: String {
        switch self {
        case .forMe: "Delete for Me"
        case .forEveryone: "Delete for Everyone"
        }
    }
}

nonisolated extension Bubble {
    public var deleteChoices: [DeleteChoice] { canDeleteForEveryone ? [.forMe, .forEveryone] : [.forMe] }

    /// Asked before it is deleted; each choice is an answer.
    public var deleteQuestion: (title: String, explanation: String) {
        (
            "Delete This Message?",
            canDeleteForEveryone
                ? "For everyone, a note remains that a message was deleted."
                : "It disappears on your devices. The other person keeps it."
        )
    }
}
