import Arguments
import ChatterClient

extension ChatterCommand {
    static let logout = ChatterCommand(
        "logout", "Sign out and remove this account from this machine.",
        description: """
            Messages and friends are removed from this machine; your account on the server stays. Without a \
            connection the server is told with the next one, and what that takes is kept until then. What has not \
            reached the server yet would be lost, so it asks first.
            """,
        group: CommandGroup.account, parameters: [LogoutCommand.yes], action: LogoutCommand.run)
}

enum LogoutCommand {
    static let yes = Option<Bool>("yes", "Do not ask about what has not reached the server.")

    @Sendable static func run(_ context: CommandContext) async throws {
        try await context.withAccount(.local, evenIncomplete: true) { account in
            if let unsent = loss(try await unsent(account)), !context[yes] {
                let loss = "\(unsent) not sent yet would be lost"
                guard Console.canAsk,
                    try await Interview(console: context.console).confirm("\(loss). Log out?")
                else {
                    throw Failure(
                        .failure, code: "UNSENT", "Still signed in: \(loss). Log out anyway with --yes.")
                }
            }
            try await account.client.auth.logOut()
            try context.console.result(DoneShape(done: "logout"), "Signed out.")
        }
    }

    /// After a last try to send it.
    private static func unsent(_ account: Account) async throws -> [OutboxItem] {
        guard account.me.profileComplete, try await !account.client.outbox.now().isEmpty else { return [] }
        _ = try await account.client.settle(timeout: account.timeout)
        return try await account.client.outbox.now()
    }

    /// `2 messages and 1 other change`; nil when nothing waits that somebody would miss.
    static func loss(_ items: [OutboxItem]) -> String? {
        let messages = items.count(where: \.isMessage)
        let others = items.count { !$0.isMessage && !$0.isReceipt }
        let parts = [
            messages > 0 ? Words.count(messages, "message") : nil,
            others > 0 ? Words.count(others, messages > 0 ? "other change" : "change") : nil,
        ]
        let said = parts.compactMap { $0 }
        return said.isEmpty ? nil : said.joined(separator: " and ")
    }
}
