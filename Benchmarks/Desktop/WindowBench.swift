import ChatterClient
import ChatterGtk
import ChatterModel
import ChatterTestSupport
import ChatterViewModels
import Foundation

/// What happens in the app's window: opening a chat, what comes in, and what is left of chats that were closed.
final class WindowBench {
    private let exhibition: Exhibition
    private let chat: LongChat
    private let table: Table
    private var window: Exhibit?

    init(_ exhibition: Exhibition, _ chat: LongChat, _ table: Table) {
        self.exhibition = exhibition
        self.chat = chat
        self.table = table
    }

    func run() async throws {
        let app = AppModel(notifier: NoNotifier()) { [chat] () async throws(ClientError) in
            do {
                return try await chat.open()
            } catch {
                throw error as? ClientError ?? ClientError(.storage(isTransient: false), "\(error)")
            }
        }
        let window = exhibition.open(app, Look())
        self.window = window
        let running = Task { await app.run() }
        try await reached("the main page") { if case .main = app.root { true } else { false } }
        guard case .main(let main) = app.root else { return }
        await app.becameActive(true)
        try await reached("the list") { main.chats.chats.count == 1 }
        try await pause(.seconds(1))

        var openings: [Duration] = []
        for _ in 0..<20 {
            openings.append(try await open(main))
            try await close(main)
        }
        table.line("opening the chat, median of 20", openings.median, "ms", below: 150)
        _ = try await open(main)
        if let model = main.conversation { try await appending(model) }
        try await close(main)
        try await openAndClose(main)
        await app.quit()
        window.close()
        running.cancel()
        await running.value
    }

    /// From the click to the frame with the messages.
    private func open(_ main: MainViewModel) async throws -> Duration {
        let drawn = Exhibit.drawnRows
        let started = ContinuousClock.now
        main.chatTapped(chat.chat)
        try await reached("the open chat") {
            main.conversation?.rows.isEmpty == false && Exhibit.drawnRows > drawn
        }
        await window?.painted()
        return started.duration(to: .now)
    }

    private func close(_ main: MainViewModel) async throws {
        main.conversationClosed()
        await window?.painted()
    }

    /// From the key to the frame with the message.
    private func appending(_ model: ConversationViewModel) async throws {
        var took: [Duration] = []
        for number in 0..<50 {
            await model.typed("Answer \(number)")
            await window?.painted()
            let (last, drawn) = (model.rows.last, Exhibit.drawnRows)
            let started = ContinuousClock.now
            let sending = Task { await model.sendTapped() }
            try await reached("the sent message") {
                model.rows.last != last && Exhibit.drawnRows > drawn
            }
            await window?.painted()
            took.append(started.duration(to: .now))
            await sending.value
            try await pause(.milliseconds(100))
        }
        table.line("sending to painted, median of 50", took.median, "ms", below: 40)
    }

    /// The first chats fill what is kept for later; the others must add nothing.
    private func openAndClose(_ main: MainViewModel) async throws {
        let (warm, all) = (300, 1000)
        var before = (bytes: 0, lists: 0)
        for number in 1...all {
            _ = try await open(main)
            try await close(main)
            if number == warm { before = now }
        }
        let grown = Double(now.bytes - before.bytes) / 1024 / Double(all - warm)
        table.line("lists left over by 1,000 chats", Double(now.lists - before.lists), "", below: 1)
        table.line("memory left over by each chat", max(0, grown), "KB", below: 2)
    }

    private var now: (bytes: Int, lists: Int) {
        (ProcessUse.now(getpid()).residentBytes, window?.listsAlive ?? 0)
    }

    /// Looks often, and asks for no frame itself: drawing would delay what is waited for.
    private func reached(_ what: String, _ condition: () -> Bool) async throws {
        let limit = ContinuousClock.now + .seconds(30)
        while !condition() {
            guard ContinuousClock.now < limit else { throw LoadFailure("\(what): never on screen") }
            try await pause(.milliseconds(1))
        }
    }
}

private struct NoNotifier: Notifier {
    func post(_ notification: ChatterViewModels.Notification) {}
    func withdraw(_ conversation: ID<Conversation>) {}
    func withdrawAll() {}
}
