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
        try await context.withAccount(.fresh) { account in
            _ = try await account.client.settle(timeout: context.timeout)
            let unsent = try await account.client.outbox.now().filter { $0.clientMessageID != nil }.count
            if unsent > 0, !context[yes] {
                let question = "\(Words.count(unsent, "message")) not sent yet would be lost. Log out?"
                guard Console.canAsk, try await Interview(console: context.console).confirm(question) else {
                    throw Failure(.failure, code: "UNSENT", "Still signed in. \(question) Say so with --yes.")
                }
            }
            try await account.client.auth.logOut()
            try context.console.result(DoneShape(done: "logout"), "Signed out.")
        }
    }
}
