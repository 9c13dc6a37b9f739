import ChatterClient
import ChatterModel

/// A chat without a screen: each line of input is sent, each thing that happens is printed. Ends with the input.
struct ChatLines: Sendable {
    let account: Account
    let chat: ID<Conversation>
    /// How long to go on listening after the input has ended.
    let linger: Duration

    func run() async throws {
        // What is typed is news only beside what was there before: no input is read until that is known.
        let (isKnown, known) = AsyncStream<Void>.makeStream()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask { try await printMessages { known.finish() } }
            group.addTask { try await printConnection() }
            group.addTask {
                for await _ in isKnown {}
                return try await sendLines()
            }
            // Whichever ends first decides: the input did, the person signed out, or nobody reads the output.
            let inputEnded = try await group.next() ?? false
            group.cancelAll()
            guard inputEnded else { throw Failure.notSignedIn }
        }
        await account.client.messages.setOnScreen(chat, false)
    }

    private func printMessages(begun: @Sendable () -> Void) async throws -> Bool {
        var log = ChatLog()
        var isOnScreen = false
        for await content in account.client.messages.conversation(chat) {
            for event in log.events(content) { try account.console.event(event) }
            // After the first: reading moves the watermark that tells what is new.
            if !isOnScreen { await account.client.messages.setOnScreen(chat, true) }
            isOnScreen = true
            begun()
        }
        return false
    }

    private func printConnection() async throws -> Bool {
        for await state in account.client.connection {
            if state != .offline(.stopped, retryAt: nil) { try account.console.event(.connection(state)) }
        }
        return false
    }

    private func sendLines() async throws -> Bool {
        let commands = ChatCommands(account: account, chat: chat)
        let before = Set(try await account.client.outbox.now().map(\.id))
        input: while let line = await StandardInput.line() {
            guard !line.trimmingSpaces().isEmpty else { continue }
            do {
                switch try await commands.run(SlashCommand(line)) {
                case .nothing: break
                case .notice(let text), .panel(let text): account.console.note(text)
                case .open:
                    account.console.note(
                        "Only the full screen changes chats; start another: chatter chat NAME")
                case .quit: break input
                }
            } catch let error as ClientError {
                account.console.note(Failure(error).message)
            } catch let failure as Failure {
                account.console.note(failure.message)
            }
        }
        try await account.finish(since: before)
        try await ContinuousClock().sleep(for: linger)
        return true
    }
}
