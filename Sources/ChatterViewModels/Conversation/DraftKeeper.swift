import ChatterClient
import ChatterModel

/// Stores what is being written, a moment after the last key.
final class DraftKeeper {
    private let id: ID<Conversation>
    private let client: ChatterClient
    private let open: OpenChats
    private let pause: QuietPeriod
    /// What another screen of this chat had not stored when this one began.
    private let unsaved: String?
    private var saved: String?
    private var isLoaded = false

    static let quiet = Duration.milliseconds(500)

    init(_ id: ID<Conversation>, client: ChatterClient, open: OpenChats, clock: any ChatterClock) {
        self.id = id
        self.client = client
        self.open = open
        unsaved = open.drafts[id]
        pause = QuietPeriod(Self.quiet, clock: clock)
    }

    /// What was written here before this screen; "" from the second time on.
    func load() async -> String {
        guard !isLoaded else { return "" }
        isLoaded = true
        if let unsaved { return unsaved }
        do throws(ClientError) {
            let text = try await client.conversations.draft(in: id)
            saved = text
            return text
        } catch {
            // Signed out or no storage, of which the app tells as a whole; an empty composer loses nothing.
            return ""
        }
    }

    func changed(_ text: String) {
        open.drafts[id] = text
        pause.after { [weak self] in await self?.store() }
    }

    /// At once.
    func save(_ text: String) async {
        open.drafts[id] = text
        await flush()
    }

    /// Stores at once what is not stored yet, whichever screen it was typed on.
    func flush() async {
        pause.cancel()
        await store()
    }

    private func store() async { await open.store(id) { await self.write() } }

    private func write() async {
        guard let text = open.drafts[id] else { return }
        do throws(ClientError) {
            if text != saved { try await client.conversations.setDraft(text, in: id) }
            saved = text
            if open.drafts[id] == text { open.drafts[id] = nil }
        } catch {
            // Kept there and tried again with the next key, and when the chat is left.
        }
    }
}
