import ChatterClient
import ChatterModel
import Observation

/// One's own profile, shown and edited.
@Observable
public final class ProfileViewModel {
    public private(set) var me: Me?
    public private(set) var displayName = ""
    public private(set) var about = ""
    public private(set) var username: UsernameCheck
    public private(set) var isSaving = false
    public private(set) var notice: String?

    /// Changes that the server has not taken yet.
    private var queue: [OutboxItem] = []
    /// Changes whose verdict is awaited: what they have in the queue is no news yet.
    private var asking = 0
    @ObservationIgnored private let client: ChatterClient
    @ObservationIgnored private let clock: any ChatterClock
    @ObservationIgnored private var switches = 0

    init(client: ChatterClient, clock: any ChatterClock) {
        self.client = client
        self.clock = clock
        username = UsernameCheck(client: client, clock: clock)
    }

    /// Follows the profile until the task is cancelled. What is being typed stays.
    public func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { for await me in self.client.profile.me() { await self.show(me) } }
            group.addTask { for await items in self.client.outbox.items() { await self.show(items) } }
        }
    }

    func show(_ me: Me) {
        let isUntouched = !hasChanges
        self.me = me
        // Saved counts as untouched too: shown is what the server made of it.
        if isUntouched || !hasChanges { reset() }
    }

    private func show(_ items: [OutboxItem]) {
        let edits = items.filter { $0.kind == "profile.edit" }
        if queue != edits { queue = edits }
    }

    private func reset() {
        guard let me else { return }
        (displayName, about) = (me.displayName ?? "", me.about)
        username = UsernameCheck(client: client, clock: clock, own: me.username)
    }

    public var face: Face { Face(name: me?.displayName ?? "", pictureURL: me?.avatarURL) }

    /// "" before there is one.
    public var handle: String { me?.username.map { "@\($0)" } ?? "" }

    /// What a screen reader says of the way to it, after the name.
    public var spoken: String { handle.isEmpty ? "Your profile" : "Your profile, \(handle)" }

    public func nameTyped(_ text: String) { if text != displayName { displayName = text } }
    public func aboutTyped(_ text: String) { if text != about { about = text } }

    public var hasChanges: Bool {
        guard let me else { return false }
        let changes = changes(from: me)
        return changes.displayName != nil || changes.username != nil || changes.about != nil
    }

    /// Compared as it would be stored: a blank at the end is no change.
    private func changes(from me: Me) -> EditProfile {
        let name = (try? DisplayName.canonical(displayName)) ?? displayName
        let handle = (try? Username.canonical(username.text)) ?? username.text
        let line = (try? About.canonical(about)) ?? about
        return EditProfile(
            displayName: name == me.displayName ?? "" ? nil : name,
            username: handle == me.username ?? "" ? nil : handle, about: line == me.about ? nil : line)
    }

    public var hint: String? {
        do throws(APIError) {
            _ = try DisplayName.canonical(displayName)
            _ = try About.canonical(about)
            return nil
        } catch {
            return ErrorWords.sentence(error)
        }
    }

    /// There is something to go back from.
    public var canCancel: Bool { hasChanges && !isSaving }

    public var canSave: Bool { hasChanges && !isSaving && isValid }

    private var isValid: Bool { hint == nil && username.isUsable }

    /// Also while the username is still being checked: its check comes first.
    public func saveTapped() async {
        guard hasChanges, !isSaving else { return }
        (isSaving, notice) = (true, nil)
        defer { isSaving = false }
        await username.settle()
        guard isValid, let me else { return }
        notice = await edit(changes(from: me))
    }

    /// Answers what went wrong. Profile and queue are then as the change left them.
    private func edit(_ change: EditProfile) async -> String? {
        asking += 1
        defer { asking -= 1 }
        do throws(ClientError) {
            try await client.profile.edit(change)
            await look()
            return nil
        } catch {
            // Nothing can be looked at while the storage fails.
            switch error.kind {
            case .storage: break
            default: await look()
            }
            return ErrorWords.sentence(error)
        }
    }

    private func look() async {
        for await me in client.profile.me() {
            show(me)
            break
        }
        for await items in client.outbox.items() {
            show(items)
            break
        }
    }

    public func noticeClosed() { notice = nil }

    public func cancelTapped() {
        notice = nil
        reset()
    }

    // MARK: - What the server has not taken

    /// Saved here; the server hears of it later.
    public var isQueued: Bool { asking == 0 && queue.contains { $0.state == .waiting } }

    public var queuedNote: String? { isQueued ? "Saved here. It is sent when there is a connection." : nil }

    private var refused: (id: OutboxItem.ID, reason: FailureReason)? {
        guard asking == 0 else { return nil }
        return queue.lazy.compactMap { item in
            if case .failed(let reason) = item.state { (item.id, reason) } else { nil }
        }.first
    }

    /// Why the server refused a change that was saved here before; what it showed is undone.
    public var refusal: String? { refused.map { RefusalLabel.text($0.reason) } }

    public func retryRefusedTapped() async {
        guard let refused else { return }
        notice = await attempt { () async throws(ClientError) in try await client.outbox.retry(refused.id) }
    }

    public func discardRefusedTapped() async {
        guard let refused else { return }
        notice = await attempt { () async throws(ClientError) in try await client.outbox.discard(refused.id) }
    }

    // MARK: - Privacy

    /// Where the switch was put, until the change is stored or refused.
    private var wantsLastSeen: Bool?

    public var showsLastSeen: Bool { wantsLastSeen ?? (me?.lastSeenVisibility != .nobody) }

    public func lastSeenSwitched(_ shows: Bool) async {
        guard shows != showsLastSeen else { return }
        (wantsLastSeen, switches) = (shows, switches + 1)
        let mine = switches
        notice = await edit(EditProfile(lastSeenVisibility: shows ? .friends : .nobody))
        // What came of an earlier switch says nothing about this one.
        if mine == switches { wantsLastSeen = nil }
    }
}
