/// What one can do with a message.
nonisolated public enum MessageAction: Hashable, Sendable {
    case copy
    case details
    case retry
    /// Gives up a message that was not sent.
    case discard
    /// For oneself; `Bubble.canDeleteForEveryone` tells whether for everyone, too.
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
