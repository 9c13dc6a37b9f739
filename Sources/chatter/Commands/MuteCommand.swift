import Arguments
import ChatterClient
import ChatterModel

extension ChatterCommand {
    static let mute = ChatterCommand(
        "mute", "Silence a chat.", group: CommandGroup.chatting,
        parameters: [MuteCommand.length, Positional.person],
        examples: [Example("For a working day", "chatter mute bob --for 8h")], action: MuteCommand.mute)
    static let unmute = ChatterCommand(
        "unmute", "Let a chat make itself heard again.", group: CommandGroup.chatting,
        parameters: [Positional.person], action: MuteCommand.unmute)
}

enum MuteCommand {
    static let length = Option<Duration?>("for", "TIME", "How long; without it, until you unmute.")

    @Sendable static func mute(_ context: CommandContext) async throws {
        // Its end counts by the server's clock, which only a connection tells.
        try await context.withAccount(.known) { account in
            let (user, id) = try await account.openChat(with: context[Positional.person])
            let length = context[length]
            try await account.perform { () throws(ClientError) in
                try await account.client.conversations.mute(id, for: length)
            }
            let words = length.map { " " + TimeText.current.until(SystemClock().now.advanced(by: $0)) } ?? ""
            try context.console.result(
                DoneShape(done: "muted", user: PersonShape(user)),
                "The chat with \(Words.fullName(of: user)) is muted\(words).")
        }
    }

    @Sendable static func unmute(_ context: CommandContext) async throws {
        try await ChatSetting.change(context, "unmuted", "The chat with %@ is no longer muted.") {
            client, id throws(ClientError) in try await client.conversations.setMuted(id, until: nil)
        }
    }
}

/// What mute, archive and pin share.
enum ChatSetting {
    static func change(
        _ context: CommandContext, _ done: String, _ text: String,
        _ action: @Sendable (ChatterClient, ID<Conversation>) async throws(ClientError) -> Void
    ) async throws {
        try await context.withAccount(.local) { account in
            let (user, id) = try await account.openChat(with: context[Positional.person])
            try await account.perform { () throws(ClientError) in try await action(account.client, id) }
            try context.console.result(
                DoneShape(done: done, user: PersonShape(user)),
                text.replacing("%@", with: Words.fullName(of: user)))
        }
    }
}
