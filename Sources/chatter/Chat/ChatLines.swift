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
        let before = Set(try await account.client.outbox.now().map(\.id))
        let refused = try await readLines()
        let left = try await account.left(since: before)
        try await ContinuousClock().sleep(for: linger)
        if let failure = Self.end(refused: refused, left: left) { throw failure }
        return true
    }

    /// Every line to the end of the input: one that is refused keeps none of the others back.
    private func readLines() async throws -> [Failure] {
        let commands = ChatCommands(account: account, chat: chat, clearsDraft: false)
        var (refused, number): ([Failure], Int) = ([], 0)
        while let line = await StandardInput.line() {
            number += 1
            guard !line.trimmingSpaces().isEmpty else { continue }
            do {
                switch try await commands.run(SlashCommand(line)) {
                case .nothing: break
                case .notice(let text), .panel(let text): account.console.note(text)
                case .open:
                    throw Failure(
                        .refused, code: "UNKNOWN_COMMAND",
                        "Only the full screen changes chats; start another: chatter chat NAME")
                case .quit: return refused
                }
            } catch {
                let failure = Failure(of: error)
                guard failure.exitCode != .notSignedIn else { throw failure }
                refused.append(failure)
                try account.console.refused(line: number, failure)
            }
        }
        return refused
    }

    /// How it ends when not everything was done. Nothing is given up: what the server refused stays in the outbox, as
    /// on the screen.
    static func end(refused: [Failure], left: [OutboxItem]) -> Failure? {
        let reasons = left.compactMap(\.failure)
        if let reason = reasons.first {
            let count = Words.count(reasons.count, "entry", plural: "entries")
            return Failure(
                .refused, code: reason.code,
                "\(count) refused and kept, the first because: \(RefusalLabel.text(reason)) See: chatter outbox"
            )
        }
        if let first = refused.first {
            let count = Words.count(refused.count, "line")
            return Failure(
                first.exitCode, code: first.code, "\(count) not sent, the first because: \(first.message)")
        }
        return left.isEmpty ? nil : .queued
    }
}
