import Arguments
import ChatterClient

extension ChatterCommand {
    static let deleteAccount = ChatterCommand(
        "delete-account", "Delete your account for good.",
        description: """
            The account, its friendships and its profile end on the server and are removed from this machine. What \
            you wrote stays with those you wrote to. Asks for your username; --yes answers for scripts.
            """,
        group: CommandGroup.account, parameters: [DeleteAccountCommand.yes], action: DeleteAccountCommand.run)
}

enum DeleteAccountCommand {
    static let yes = Option<Bool>("yes", "Do not ask.")

    @Sendable static func run(_ context: CommandContext) async throws {
        try await context.withAccount(.server, evenIncomplete: true) { account in
            if !context[yes] {
                let username = account.me.username ?? account.me.phone
                guard Console.canAsk else {
                    throw Failure(.failure, code: "NOT_CONFIRMED", "Nothing was deleted: say --yes.")
                }
                let typed = try await Interview(console: context.console).ask(
                    "Type \(username) to delete this account for good"
                ) { $0 }
                guard typed == username || typed == "@\(username)" else {
                    throw Failure(
                        .failure, code: "NOT_CONFIRMED", "Nothing was deleted: that is not \(username).")
                }
            }
            try await account.client.auth.deleteAccount()
            try context.console.result(DoneShape(done: "delete-account"), "Your account is deleted.")
        }
    }
}
