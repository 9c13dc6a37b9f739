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
    /// Saved here; the server hears of it later.
    public private(set) var isQueued = false

    @ObservationIgnored private let client: ChatterClient
    @ObservationIgnored private let clock: any ChatterClock
    @ObservationIgnored private var sending: Task<Void, Never>?

    init(client: ChatterClient, clock: any ChatterClock) {
        self.client = client
        self.clock = clock
        username = UsernameCheck(client: client, clock: clock)
    }

    /// Follows the profile until the task is cancelled. What is being typed stays.
    public func run() async {
        for await me in client.profile.me() {
            let isUntouched = !hasChanges
            self.me = me
            wantsLastSeen = nil
            // Saved counts as untouched too: shown is what the server made of it.
            if isUntouched || !hasChanges { reset() }
        }
    }

    private func reset() {
        guard let me else { return }
        (displayName, about) = (me.displayName ?? "", me.about)
        username = UsernameCheck(client: client, clock: clock, own: me.username)
    }

    public var face: Face { Face(name: me?.displayName ?? "", pictureURL: me?.avatarURL) }

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

    public var canSave: Bool { hasChanges && !isSaving && hint == nil && username.isUsable }

    public func saveTapped() async {
        guard canSave, let me else { return }
        (isSaving, notice, isQueued) = (true, nil, false)
        defer { isSaving = false }
        do throws(ClientError) {
            isQueued = try await client.profile.edit(changes(from: me)) == .queued
            if isQueued { followQueue() }
        } catch {
            notice = ErrorWords.sentence(error)
        }
    }

    private func followQueue() {
        sending?.cancel()
        sending = Task { [client, weak self] in
            for await items in client.outbox.items()
            where !items.contains(where: { $0.kind == "profile.edit" }) {
                if !Task.isCancelled { self?.isQueued = false }
                return
            }
        }
    }

    public func noticeClosed() { notice = nil }

    public func cancelTapped() {
        notice = nil
        reset()
    }

    // MARK: - Privacy

    /// Where the switch was put, until the profile says so too.
    private var wantsLastSeen: Bool?

    public var showsLastSeen: Bool { wantsLastSeen ?? (me?.lastSeenVisibility != .nobody) }

    public func lastSeenSwitched(_ shows: Bool) async {
        guard shows != showsLastSeen else { return }
        wantsLastSeen = shows
        notice = await attempt { () async throws(ClientError) in
            try await client.profile.edit(EditProfile(lastSeenVisibility: shows ? .friends : .nobody))
        }
        if notice != nil { wantsLastSeen = nil }
    }
}
