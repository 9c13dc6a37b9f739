import ChatterClient
import ChatterModel

/// Stores what is being written, a moment after the last key.
final class DraftKeeper {
    private let id: ID<Conversation>
    private let client: ChatterClient
    private let pause: QuietPeriod
    private var saved: String?

    static let quiet = Duration.milliseconds(500)

    init(_ id: ID<Conversation>, client: ChatterClient, clock: any ChatterClock) {
        self.id = id
        self.client = client
        pause = QuietPeriod(Self.quiet, clock: clock)
    }

    func load() async -> String {
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
        pause.after { [weak self] in await self?.store(text) }
    }

    /// At once.
    func save(_ text: String) async {
        pause.cancel()
        await store(text)
    }

    private func store(_ text: String) async {
        guard text != saved ?? "" else { return }
        do throws(ClientError) {
            try await client.conversations.setDraft(text, in: id)
            saved = text
        } catch {
            // Kept on screen and tried again with the next key, and when the chat is left.
        }
    }
}
