import Arguments
import ChatterClient
import ChatterModel

extension ChatterCommand {
    static let report = ChatterCommand(
        "report", "Report somebody to those who run the server.",
        description: """
            With --message, also one of their messages: its text goes with the report. A report is never queued: \
            when this ends with 0, it has arrived.
            """,
        group: CommandGroup.people,
        parameters: [ReportCommand.reason, ReportCommand.message, ReportCommand.comment, Positional.person],
        examples: [
            Example(
                "A message, by its number in the history", "chatter report mallory --reason spam --message 12"
            )
        ],
        action: ReportCommand.run)
}

enum ReportCommand {
    enum Reason: String, ArgumentValue, CaseIterable {
        case spam, harassment, hate, violence, nudity, impersonation, other
    }

    static let reason = Option<Reason>(
        "reason", "WHY", default: .other, "spam, harassment, hate, violence, nudity, impersonation or other.")
    static let message = Option<MessageNumber?>("message", "NUMBER", "The message's number in the history.")
    static let comment = Option<String?>("comment", "TEXT", "What they should know, up to 1,000 characters.")

    @Sendable static func run(_ context: CommandContext) async throws {
        try await context.withAccount(.known) { account in
            guard !account.isOffline else {
                throw Failure(.unreachable, "The server can't be reached, so the report was not sent.")
            }
            let user = try await account.anybody(context[Positional.person])
            var messageID: ID<Message>?
            if let number = context[message] {
                let chat = try await account.client.conversations.openDirect(with: user.id)
                let item = try await account.message(number, in: chat)
                guard !item.isMine else {
                    throw Failure(.failure, code: "OWN_MESSAGE", "Message \(number.seq) is your own.")
                }
                messageID = item.messageID
            }
            guard let why = Report.Reason(rawValue: context[reason].rawValue) else {
                throw Failure(
                    .failure, "The reason \(context[reason].rawValue) is not one of the contract's.")
            }
            try await account.client.friends.report(
                user.id, message: messageID, reason: why, comment: context[comment])
            try context.console.result(
                DoneShape(done: "reported", user: PersonShape(user)), "Reported \(Words.fullName(of: user)).")
        }
    }
}
