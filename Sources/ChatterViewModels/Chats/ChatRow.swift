import ChatterClient
import ChatterModel

/// A row of the chats list.
nonisolated public struct ChatRow: Identifiable, Hashable, Sendable {
    public enum Preview: Hashable, Sendable {
        case none
        case typing
        case draft(String)
        /// `tick` on one's own.
        case message(String, tick: Tick?)

        /// Before the text, set apart from it; nil: nothing.
        public var lead: String? { if case .draft = self { ActivityWords.draft } else { nil } }

        public var text: String {
            switch self {
            case .none: ""
            case .typing: ActivityWords.typing
            case .draft(let text), .message(let text, _): text
            }
        }

        /// Beside one's own message.
        public var tick: Tick? { if case .message(_, let tick) = self { tick } else { nil } }

        /// What a screen reader says; nil: nothing.
        var spoken: String? {
            if self == .none { return nil }
            return tick.map { "You: \(text), \($0.spoken)" }
                ?? [lead, text].compactMap { $0 }.joined(separator: " ")
        }
    }

    public var id: ChatterModel.ID<Conversation>
    public var title: String
    public var face: Face
    public var preview: Preview
    public var time: String
    public var unread: Int
    public var isMuted: Bool
    public var isPinned: Bool
    public var isArchived: Bool
    /// The other person's account no longer exists.
    public var isPeerDeleted: Bool

    /// - Parameter names: those of the list: two that look the same are told apart.
    init(_ chat: ChatItem, words: TimeWords, names: AlikeNames = AlikeNames([])) {
        id = chat.id
        title = chat.peer.map { names.name(of: $0) } ?? chat.title
        isPeerDeleted = chat.peer?.isDeleted == true
        face = chat.peer.map { Face($0) } ?? Face(name: chat.title, pictureURL: chat.avatarURL)
        preview = Self.preview(chat)
        time = chat.preview == nil ? "" : words.short(chat.lastActivityAt)
        unread = chat.unreadCount
        (isMuted, isPinned, isArchived) = (chat.isMuted, chat.isPinned, chat.isArchived)
    }

    private static func preview(_ chat: ChatItem) -> Preview {
        if !chat.typing.isEmpty { return .typing }
        if let draft = chat.draft { return .draft(oneLine(draft)) }
        guard let item = chat.preview else { return .none }
        guard !item.isDeleted else { return .message(RowBuilder.text(of: item), tick: nil) }
        return .message(oneLine(RowBuilder.text(of: item)), tick: item.status.map(Tick.init))
    }

    /// The beginning of a text: a row has room for one line.
    private static func oneLine(_ text: String) -> String {
        text.prefix(200).split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    /// Beside the row; "" without unread messages.
    public var badge: String { unread == 0 ? "" : unread > 99 ? "99+" : "\(unread)" }

    /// What a screen reader says.
    public var spoken: String {
        let parts: [String?] = [
            title, isPeerDeleted ? "deleted account" : nil, unread == 0 ? nil : "\(unread) unread",
            preview.spoken,
            time.isEmpty ? nil : time,
            isPinned ? "pinned" : nil, isMuted ? "muted" : nil,
        ]
        return parts.compactMap { $0 }.joined(separator: ", ")
    }

    /// - Parameter isOpen: its conversation is beside the list.
    public func spoken(isOpen: Bool) -> String { isOpen ? "\(spoken), open" : spoken }
}
