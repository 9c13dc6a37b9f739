import Arguments
import ChatterClient
import ChatterModel

extension ChatterCommand {
    static let history = ChatterCommand(
        "history", "Print a chat's messages, oldest first.",
        description: "Reading the history sends no read receipt; --mark-read does.",
        group: CommandGroup.chatting,
        parameters: [
            HistoryCommand.limit, HistoryCommand.before, HistoryCommand.markRead, Positional.person,
        ],
        examples: [Example("The twenty before message 300", "chatter history bob --before 300 --limit 20")],
        action: HistoryCommand.run)
}

enum HistoryCommand {
    static let limit = Option<Int>("limit", short: "n", "COUNT", default: 50, "How many.")
    static let before = Option<MessageNumber?>("before", "NUMBER", "Only those before this message.")
    static let markRead = Option<Bool>("mark-read", "Tell the sender that you have read them.")

    @Sendable static func run(_ context: CommandContext) async throws {
        try await context.withAccount(.fresh) { account in
            let chat = try await account.openChat(with: context[Positional.person]).id
            let items = try await account.history(
                of: chat, last: max(0, context[limit]), before: context[before]?.seq)
            if context[markRead], let newest = items.compactMap(\.seq).last {
                try await account.perform { () throws(ClientError) in
                    try await account.client.messages.markRead(chat, upTo: newest)
                }
            }
            if context.console.json || !items.isEmpty {
                try context.console.result(account.list(items.map(MessageShape.init)), page(items))
            }
        }
    }

    static func page(_ items: [MessageItem], time: TimeText = .current) -> String {
        var lines: [String] = []
        var previous: Timestamp?
        for item in items {
            if previous.map({ !time.isSameDay($0, item.createdAt) }) ?? true {
                lines.append("— \(time.day(item.createdAt)) —")
            }
            previous = item.createdAt
            lines.append(PlainMessage.line(item, time: time))
        }
        return lines.joined(separator: "\n")
    }
}
