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
            if isUntouched { reset() }
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
        return displayName != me.displayName ?? "" || about != me.about || username.text != me.username ?? ""
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
        let edit = EditProfile(
            displayName: displayName == me.displayName ? nil : displayName,
            username: username.text == me.username ? nil : username.text,
            about: about == me.about ? nil : about)
        do throws(ClientError) {
            isQueued = try await client.profile.edit(edit) == .queued
        } catch {
            notice = ErrorWords.sentence(error)
        }
    }

    public func noticeClosed() { (notice, isQueued) = (nil, false) }

    public func cancelTapped() {
        notice = nil
        reset()
    }

    // MARK: - Privacy

    public var showsLastSeen: Bool { me?.lastSeenVisibility != .nobody }

    public func lastSeenSwitched(_ shows: Bool) async {
        guard shows != showsLastSeen else { return }
        notice = await attempt { () async throws(ClientError) in
            try await client.profile.edit(EditProfile(lastSeenVisibility: shows ? .friends : .nobody))
        }
    }
}
