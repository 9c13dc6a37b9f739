import Arguments
import ChatterClient

extension ChatterCommand {
    static let logout = ChatterCommand(
        "logout", "Sign out and remove this account from this machine.",
        description: """
            Messages, friends and tokens are removed from the profile's folder; on the server they stay. What has \
            not been sent yet would be lost, so it asks first.
            """,
        group: CommandGroup.account, parameters: [LogoutCommand.yes], action: LogoutCommand.run)
}

enum LogoutCommand {
    static let yes = Option<Bool>("yes", "Do not ask about messages that were not sent.")

    @Sendable static func run(_ context: CommandContext) async throws {
        try await context.withAccount(.local, evenIncomplete: true) { account in
            let unsent = try await unsentMessages(account)
            if unsent > 0, !context[yes] {
                let loss = "\(Words.count(unsent, "message")) not sent yet would be lost"
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

    /// After a last try to send them.
    private static func unsentMessages(_ account: Account) async throws -> Int {
        guard account.me.profileComplete, try await account.client.outbox.now().contains(where: \.isMessage)
        else { return 0 }
        _ = try await account.client.settle(timeout: account.timeout)
        return try await account.client.outbox.now().count(where: \.isMessage)
    }
}

extension OutboxItem {
    fileprivate var isMessage: Bool { clientMessageID != nil }
}
