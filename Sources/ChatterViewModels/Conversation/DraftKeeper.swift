import ChatterClient
import ChatterModel

/// What was typed and is not stored yet: a chat that is left and opened again at once finds it here.
final class DraftShelf {
    var texts: [ID<Conversation>: String] = [:]
}

/// Stores what is being written, a moment after the last key.
final class DraftKeeper {
    private let id: ID<Conversation>
    private let client: ChatterClient
    private let shelf: DraftShelf
    private let pause: QuietPeriod
    private var saved: String?

    static let quiet = Duration.milliseconds(500)

    init(_ id: ID<Conversation>, client: ChatterClient, shelf: DraftShelf, clock: any ChatterClock) {
        self.id = id
        self.client = client
        self.shelf = shelf
        pause = QuietPeriod(Self.quiet, clock: clock)
    }

    func load() async -> String {
        if let text = shelf.texts[id] { return text }
        do throws(ClientError) {
            let text = try await client.conversations.draft(in: id)
            saved = text
            return shelf.texts[id] ?? text
        } catch {
            // Signed out or no storage, of which the app tells as a whole; an empty composer loses nothing.
            return ""
        }
    }

    func changed(_ text: String) {
        shelf.texts[id] = text
        pause.after { [weak self] in await self?.store() }
    }

    /// At once.
    func save(_ text: String) async {
        shelf.texts[id] = text
        await flush()
    }

    /// Stores at once what is not stored yet, whichever screen it was typed on.
    func flush() async {
        pause.cancel()
        await store()
    }

    private func store() async {
        guard let text = shelf.texts[id] else { return }
        do throws(ClientError) {
            if text != saved { try await client.conversations.setDraft(text, in: id) }
            saved = text
            if shelf.texts[id] == text { shelf.texts[id] = nil }
        } catch {
            // Kept on the shelf and tried again with the next key, and when the chat is left.
        }
    }
}
