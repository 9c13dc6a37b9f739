import Arguments

typealias CommandAction = @Sendable (CommandContext) async throws -> Void
typealias ChatterCommand = Command<CommandAction>

let chatterCommand = ChatterCommand(
    "chatter", "Chat from the terminal.",
    description: """
        What you write is stored on this machine first and sent as soon as the server can be reached: closing the \
        terminal or losing the network loses nothing.

        NAME is a username, with or without @, or a display name that only one of your people has.

        Without a command it begins where chatter start does.

        Exit codes: \(ExitCode.summary).
        """,
    shared: SharedOptions.all,
    subcommands: [
        .start, .login, .profile, .logout, .deleteAccount, .devices,
        .chat, .send, .history, .chats, .watch, .delete, .mute, .unmute, .archive, .unarchive, .pin, .unpin,
        .find, .friend, .block, .unblock, .blocked, .report,
        .status, .outbox,
    ],
    examples: [
        Example("Sign up and chat with the echo bot", "chatter start"),
        Example("Two people on one machine", "chatter --profile bob start"),
        Example("Say something and wait until the server has it", "chatter send alice \"On my way\""),
    ],
    version: chatterVersion,
    action: { context in
        guard Console.isInteractive else {
            throw UsageError(
                command: context.values.command, message: "say which command. See 'chatter --help'.")
        }
        try await StartCommand.run(context)
    })

/// What `chatter --version` says; raised with each release.
let chatterVersion = "0.1.0"

/// Headings of `chatter --help`.
enum CommandGroup {
    static let account = "Your account"
    static let chatting = "Chatting"
    static let people = "People"
    static let trouble = "When something is stuck"
}
