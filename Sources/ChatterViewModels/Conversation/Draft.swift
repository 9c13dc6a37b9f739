import ChatterClient
import ChatterModel
import Observation

/// What is being written in a chat, on whichever screen: a draft until it is sent, and again when that fails.
@Observable
final class Draft {
    private(set) var text = ""

    @ObservationIgnored private let id: ID<Conversation>
    @ObservationIgnored private let client: ChatterClient
    @ObservationIgnored private let pause: QuietPeriod
    /// What the database holds; nil until it was asked.
    @ObservationIgnored private var stored: String?
    /// On their way into the database, oldest first.
    @ObservationIgnored private var sending: [(number: Int, text: String)] = []
    @ObservationIgnored private var sends = 0
    @ObservationIgnored private var refusal: ClientError?
    /// What is being read or written, which the next waits for: of two writes at once, the older could end last.
    @ObservationIgnored private var last: Task<Void, Never>?

    static let quiet = Duration.milliseconds(500)

    init(_ id: ID<Conversation>, client: ChatterClient, clock: any ChatterClock) {
        self.id = id
        self.client = client
        pause = QuietPeriod(Self.quiet, clock: clock)
    }

    /// Once; what was typed meanwhile goes behind what was stored.
    func load() async { await inTurn { await self.read() } }

    /// Stores it a moment after the last key.
    func typed(_ text: String) {
        self.text = text
        pause.after { [weak self] in await self?.inTurn { await self?.write() } }
    }

    /// At once, after what is on its way.
    func store() async {
        pause.cancel()
        await inTurn { await self.write() }
    }

    /// Makes it a message. Throws when that could not be stored: it is back then, before what was typed meanwhile.
    func send() async throws(ClientError) {
        sends += 1
        let number = sends
        sending.append((number, text))
        text = ""
        pause.cancel()
        if let refusal = await inTurn({ await self.send(number) }) { throw refusal }
    }

    private func read() async {
        guard stored == nil else { return }
        do throws(ClientError) {
            let text = try await client.conversations.draft(in: id)
            stored = text
            if !text.isEmpty { self.text = text + self.text }
        } catch {
            // Signed out or no storage, of which the app tells as a whole; an empty composer loses nothing.
        }
    }

    private func write() async {
        let text = text
        guard text != stored ?? "" else { return }
        do throws(ClientError) {
            try await client.conversations.setDraft(text, in: id)
            stored = text
        } catch {
            // Kept and tried again with the next key, when the chat is left, and at the end.
        }
    }

    private func send(_ number: Int) async -> ClientError? {
        // It came back with one before it: what was written later must not overtake.
        guard let next = sending.first, next.number == number else { return refusal }
        do throws(ClientError) {
            try await client.messages.send(next.text, in: id, clearsDraft: true)
            sending.removeFirst()
            stored = ""
            refusal = nil
        } catch {
            text = (sending.map(\.text) + [text]).filter { !$0.isEmpty }.joined(separator: "\n")
            sending = []
            refusal = error
        }
        await write()
        return refusal
    }

    /// In a task of its own: the timer or screen that asked may go away in the middle.
    private func inTurn<Result: Sendable>(_ work: @escaping () async -> Result) async -> Result {
        let before = last
        let task = Task {
            await before?.value
            return await work()
        }
        last = Task { _ = await task.value }
        return await task.value
    }
}
