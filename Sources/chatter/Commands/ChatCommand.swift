import Arguments
import ChatterClient
import ChatterModel

extension ChatterCommand {
    static let chat = ChatterCommand(
        "chat", "Open a chat.",
        description: """
            On a terminal this is the full screen: messages with ticks (🕓 waiting, ✓ the server has it, ✓✓ \
            delivered, blue ✓✓ read; ☑ read where there are no colours or NO_COLOR is set), typing and presence; /help lists what can be typed. In a pipe each line of \
            input is sent and each thing that happens is printed.
            """,
        group: CommandGroup.chatting, parameters: [ChatCommand.wait, Positional.person],
        examples: [
            Example("Talk to Bob", "chatter chat bob"),
            Example("Ask the echo bot from a script", "echo hello | chatter chat echo --wait 3s"),
        ],
        action: ChatCommand.run)
}

enum ChatCommand {
    static let wait = Option<Duration>(
        "wait", "TIME", default: .zero, "In a pipe: go on listening after the input has ended.")

    @Sendable static func run(_ context: CommandContext) async throws {
        try await context.withAccount(.local) { account in
            let chat = try await account.openChat(with: context[Positional.person]).id
            try await open(chat, account, linger: context[wait])
        }
    }

    /// On the screen until the person leaves, from chat to chat; or line by line.
    static func open(_ first: ID<Conversation>, _ account: Account, linger: Duration) async throws {
        guard !account.console.json, Console.isInteractive, let terminal = await Terminal() else {
            return try await ChatLines(account: account, chat: first, linger: linger).run()
        }
        let end = await end(of: first, account, terminal)
        await terminal.close()
        try end.get()
    }

    private static func end(
        of first: ID<Conversation>, _ account: Account, _ terminal: Terminal
    ) async -> Result<Void, any Error> {
        var chat = first
        do {
            while true {
                switch try await ChatSession(account: account, chat: chat, terminal: terminal).run() {
                case .quit: return .success(())
                case .open(let next): chat = next
                case .signedOut: return .failure(Failure.notSignedIn)
                }
            }
        } catch {
            return .failure(error)
        }
    }
}
