extension ContactViewModel {
    /// In the order of a page.
    nonisolated public enum Action: Hashable, Sendable, CaseIterable {
        case message, accept, add, cancel, remove, block, unblock, report

        /// An ellipsis says that a question comes first.
        public var title: String {
            switch self {
            case .message: "Message"
            case .accept: Remedy.accept.title
            case .add: Remedy.add.title
            case .cancel: Remedy.cancel.title
            case .remove: "Remove Friend…"
            case .block: "Block…"
            case .unblock: Remedy.unblock.title
            case .report: "Report…"
            }
        }
    }
}
