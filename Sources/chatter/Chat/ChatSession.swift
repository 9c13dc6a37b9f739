import ChatterClient
import ChatterModel

/// One chat on the full screen: brings keys and news to a `ChatScreen`, its actions to the client, its picture to the
/// terminal. Decides nothing itself.
@MainActor
final class ChatSession {
    enum End: Sendable {
        case quit
        case open(ID<Conversation>)
        /// Signed out from elsewhere, or the account is gone.
        case signedOut
    }

    private enum Input: Sendable {
        case typed
        case resized
        case content(ConversationContent)
        case connection(ConnectionState)
        case requests([RequestItem])
        case chats([ChatItem])
        case outcome(ChatCommands.Outcome)
        case failed(String)
        case notOpened(String)
        case olderFailed(String)
        case signedOut
    }

    private let account: Account
    private let chat: ID<Conversation>
    private let terminal: Terminal
    private let commands: ChatCommands
    private let inputs: AsyncStream<Input>
    private let input: AsyncStream<Input>.Continuation
    private var screen = ChatScreen()
    /// What the client was told last.
    private var isOnScreen = false
    private var draftSaving: Task<Void, Never>?
    /// Another chat is being opened: what is typed meanwhile is for that one.
    private var isOpening = false

    init(account: Account, chat: ID<Conversation>, terminal: Terminal) {
        self.account = account
        self.chat = chat
        self.terminal = terminal
        commands = ChatCommands(account: account, chat: chat, clearsDraft: true)
        (inputs, input) = AsyncStream.makeStream()
    }

    func run() async throws -> End {
        let client = account.client
        screen = ChatScreen(
            draft: try await client.conversations.draft(in: chat), hasColours: terminal.hasColours)
        let (input, messages, chat) = (input, client.messages, chat)
        terminal.listen(typed: { input.yield(.typed) }, resized: { input.yield(.resized) })
        let feeds = [
            Task {
                for await content in messages.conversation(chat) { input.yield(.content(content)) }
                input.yield(.signedOut)
            },
            Task { for await state in client.connection { input.yield(.connection(state)) } },
            Task { for await requests in client.friends.requests() { input.yield(.requests(requests)) } },
            Task { for await chats in client.conversations.chats() { input.yield(.chats(chats)) } },
        ]
        let end = await loop()
        for feed in feeds { feed.cancel() }
        draftSaving?.cancel()
        await messages.setTyping(chat, false)
        await messages.setOnScreen(chat, false)
        if case .signedOut = end { return end }
        try await client.conversations.setDraft(screen.editor.text, in: chat)
        return end
    }

    private func loop() async -> End {
        draw()
        for await next in inputs {
            switch next {
            case .typed: if await handleKeys() { return .quit }
            case .resized: break
            case .content(let content): screen.show(content)
            case .connection(let state): screen.connection = state
            case .requests(let requests): screen.requests = requests
            case .chats(let chats):
                screen.unreadElsewhere = chats.filter { $0.id != chat && !$0.isMuted }.map(\.unreadCount)
                    .reduce(0, +)
            case .outcome(let outcome): if let end = adopt(outcome) { return end }
            case .failed(let reason): screen.notice = .init(text: reason, isError: true)
            case .notOpened(let reason): await stay(reason)
            case .olderFailed(let reason): screen.olderFailed(reason)
            case .signedOut: return .signedOut
            }
            await show()
        }
        return .quit
    }

    private func show() async {
        draw()
        await tellWhatIsSeen()
    }

    /// Only what is in the picture is read, and only after it was drawn: reading moves the watermark that tells what is
    /// new.
    private func tellWhatIsSeen() async {
        guard screen.showsNewest != isOnScreen else { return }
        isOnScreen = screen.showsNewest
        await account.client.messages.setOnScreen(chat, isOnScreen)
    }

    /// True when one of them leaves.
    private func handleKeys() async -> Bool {
        while !isOpening, let key = terminal.typeAhead.next() {
            if key == .redraw { terminal.repaint() }
            for action in screen.handle(key, size: terminal.size, time: .current) {
                if action == .command(.quit) { return true }
                await perform(action)
            }
            await show()
        }
        return isOpening && terminal.typeAhead.takeInterrupt()
    }

    /// The other chat did not open.
    private func stay(_ reason: String) async {
        isOpening = false
        terminal.typeAhead.keepUnsentLine()
        _ = await handleKeys()
        screen.notice = .init(text: reason, isError: true)
    }

    private func draw() {
        terminal.draw(ChatPicture.frame(screen, terminal.size, .current))
    }

    private func perform(_ action: ChatScreen.Action) async {
        switch action {
        case .command(.send(let text)):
            // A draft that is being stored must not come after the message that it became.
            draftSaving?.cancel()
            await draftSaving?.value
            // Awaited, so that messages are stored in the order they were typed; it is a local write.
            await send(text)
        case .command(.open(let name)):
            isOpening = true
            screen.notice = .init(text: "Opening the chat with \(Printable.line(name))…")
            Task { input.yield(await outcome(of: .open(name))) }
        case .command(let command):
            // May wait for the server: the keyboard goes on meanwhile.
            Task { input.yield(await outcome(of: command)) }
        case .loadOlder:
            Task { [chat, input, messages = account.client.messages] in
                do throws(ClientError) {
                    try await messages.loadOlder(chat)
                } catch {
                    input.yield(.olderFailed(Failure(error).message))
                }
            }
        case .typing(let typing):
            await account.client.messages.setTyping(chat, typing)
        case .draft(let text):
            saveDraft(text)
        }
    }

    private func send(_ text: String) async {
        do {
            _ = try await commands.run(.send(text))
        } catch {
            for action in screen.notSent(text, Failure(of: error).message) { await perform(action) }
        }
    }

    private func outcome(of command: SlashCommand) async -> Input {
        do {
            return .outcome(try await commands.run(command))
        } catch {
            let reason = Failure(of: error).message
            return if case .open = command { .notOpened(reason) } else { .failed(reason) }
        }
    }

    private func adopt(_ outcome: ChatCommands.Outcome) -> End? {
        switch outcome {
        case .nothing: break
        case .notice(let text): screen.notice = .init(text: text)
        case .panel(let text): screen.panel = text
        case .quit: return .quit
        case .open(let next): return .open(next)
        }
        return nil
    }

    /// Half a second after the last key, and in any case when the chat is left.
    private func saveDraft(_ text: String) {
        draftSaving?.cancel()
        draftSaving = Task { [chat, input, conversations = account.client.conversations] in
            do {
                try await ContinuousClock().sleep(for: .milliseconds(500))
                try await conversations.setDraft(text, in: chat)
            } catch is CancellationError {
                // The next key saves.
            } catch {
                input.yield(.failed("The draft could not be saved. \(Failure(of: error).message)"))
            }
        }
    }
}
