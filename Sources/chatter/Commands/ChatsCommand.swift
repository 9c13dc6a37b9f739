import Arguments
import ChatterClient
import ChatterModel

extension ChatterCommand {
    static let chats = ChatterCommand(
        "chats", "List your chats.", group: CommandGroup.chatting, parameters: [ChatsCommand.archived],
        action: ChatsCommand.run)
}

enum ChatsCommand {
    static let archived = Option<Bool>("archived", "The archived ones instead.")

    @Sendable static func run(_ context: CommandContext) async throws {
        try await context.withAccount(.fresh) { account in
            let stream = account.client.conversations.chats(archived: context[archived])
            let chats = await stream.first { _ in true } ?? []
            try context.console.result(
                account.list(chats.map(ChatShape.init)),
                chats.isEmpty ? "No chats yet. Start one with: chatter chat NAME" : table(chats))
        }
    }

    static func table(_ chats: [ChatItem], time: TimeText = .current) -> String {
        Table.rows(
            chats.map { chat in
                [
                    chat.peer.map(Words.fullName) ?? Printable.line(chat.title),
                    chat.unreadCount > 0 ? "\(chat.unreadCount) new" : "",
                    time.short(chat.lastActivityAt), marks(chat), preview(chat),
                ]
            })
    }

    private static func marks(_ chat: ChatItem) -> String {
        [chat.isPinned ? "pinned" : nil, chat.isMuted ? "muted" : nil].compactMap(\.self).joined(
            separator: " ")
    }

    private static func preview(_ chat: ChatItem) -> String {
        if let draft = chat.draft { return "Draft: \(TextWidth.shortened(Printable.line(draft), to: 40))" }
        guard let message = chat.preview else { return "" }
        let mark = message.status.map { Ticks.mark($0) + " " } ?? ""
        return mark + TextWidth.shortened(PlainMessage.body(message), to: 40)
    }
}
