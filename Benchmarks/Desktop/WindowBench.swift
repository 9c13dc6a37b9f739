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
        var look = Look()
        look.isAnimated = true
        let window = exhibition.open(app, look)
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
        if let model = main.conversation {
            try await appending(model)
            try await typing(model)
            try await resting(window)
        }
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

    /// The friend writes: said in the header, and no row is drawn for it.
    private func typing(_ model: ConversationViewModel) async throws {
        let drawn = Exhibit.drawnRows
        try chat.startTyping()
        try await reached("the typing") { model.header?.isTyping == true }
        await window?.painted()
        try await reached("its end") { model.header?.isTyping == false }
        await window?.painted()
        table.line("rows drawn when the friend types", Double(Exhibit.drawnRows - drawn), "", below: 1)
    }

    /// Nothing moves where nothing happens; only the caret may, which this window keeps still.
    private func resting(_ window: Exhibit) async throws {
        // What came before has faded out by then.
        try await pause(.seconds(3))
        let frames = try await window.frames { try await pause(.seconds(5)) }
        table.line("frames painted in 5 s at rest", Double(frames), "", below: 1)
    }

    /// The first chats fill what is kept for later; the others must add nothing.
    private func openAndClose(_ main: MainViewModel) async throws {
        let chats = 1000
        _ = try await least(afterChats: 200, main)
        let before = try await least(afterChats: 100, main)
        _ = try await least(afterChats: chats - 100, main)
        let after = try await least(afterChats: 100, main)
        let kilobytes = 1024 * Double(chats)
        table.line("lists left over by 1,000 chats", Double(after.lists - before.lists), "", below: 1)
        table.line(
            "in use after each of them", max(0, Double(after.inUse - before.inUse)) / kilobytes, "KB",
            below: 0.5)
        table.line(
            "resident after each of them", max(0, Double(after.resident - before.resident)) / kilobytes,
            "KB", below: 2)
    }

    /// The least that was there after any of so many: what one chat leaves to be done goes on while the next opens.
    private func least(afterChats count: Int, _ main: MainViewModel) async throws -> Left {
        var least: Left?
        for _ in 0..<count {
            _ = try await open(main)
            try await close(main)
            least = least.map { $0.least(.now) } ?? .now
        }
        return least ?? .now
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

/// What is there after chats were closed.
private struct Left {
    let lists: Int
    /// Allocated and not freed.
    let inUse: Int
    let resident: Int

    static var now: Left {
        Left(
            lists: Exhibit.listsAlive, inUse: Exhibit.heapInUse,
            resident: ProcessUse.now(getpid()).residentBytes)
    }

    func least(_ other: Left) -> Left {
        Left(
            lists: min(lists, other.lists), inUse: min(inUse, other.inUse),
            resident: min(resident, other.resident))
    }
}

private struct NoNotifier: Notifier {
    func post(_ notification: ChatterViewModels.Notification) {}
    func withdraw(_ conversation: ID<Conversation>) {}
    func withdrawAll() {}
}
