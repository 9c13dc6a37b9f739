import Arguments
import ChatterClient
import ChatterModel

extension ChatterCommand {
    static let delete = ChatterCommand(
        "delete", "Delete a message, for you or for everyone.", group: CommandGroup.chatting,
        parameters: [DeleteCommand.everyone, Positional.person, DeleteCommand.message],
        examples: [Example("Take a message back", "chatter delete bob 12 --everyone")],
        action: DeleteCommand.run)
}

enum DeleteCommand {
    static let everyone = Option<Bool>("everyone", "For everyone; only your own, within 48 hours.")
    static let message = Positional<MessageNumber>("MESSAGE", "Its number in the history.")

    @Sendable static func run(_ context: CommandContext) async throws {
        let scope: DeletionScope = context[everyone] ? .everyone : .me
        try await context.withAccount(.known) { account in
            let (user, chat) = try await account.openChat(with: context[Positional.person])
            let item = try await account.message(context[message], in: chat)
            try await account.perform { () throws(ClientError) in
                try await account.client.messages.delete(item.id, scope: scope)
            }
            try context.console.result(
                DoneShape(done: "deleted", user: PersonShape(user)),
                scope == .everyone ? "Deleted for everyone." : "Deleted for you.")
        }
    }
}
