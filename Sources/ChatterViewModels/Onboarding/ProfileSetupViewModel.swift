import ChatterClient
import ChatterModel
import Observation

/// The first profile: nothing else opens before it is complete.
@Observable
public final class ProfileSetupViewModel {
    public private(set) var displayName = ""
    public let username: UsernameCheck
    public private(set) var isBusy = false
    public private(set) var error: String?

    @ObservationIgnored private let client: ChatterClient

    init(_ me: Me, client: ChatterClient, clock: any ChatterClock) {
        self.client = client
        username = UsernameCheck(client: client, clock: clock, own: me.username)
        displayName = me.displayName ?? ""
    }

    public func nameTyped(_ text: String) {
        guard text != displayName else { return }
        (displayName, error) = (text, nil)
    }

    /// What is wrong with the name so far; nil while it is empty or fine.
    public var nameHint: String? {
        guard !displayName.isEmpty else { return nil }
        do throws(APIError) {
            _ = try DisplayName.canonical(displayName)
            return nil
        } catch {
            return ErrorWords.sentence(error)
        }
    }

    public var canSubmit: Bool { !isBusy && isComplete }

    private var isComplete: Bool { !displayName.isEmpty && nameHint == nil && username.isUsable }

    /// Also while the username is still being checked: its check comes first.
    public func submitted() async {
        guard !isBusy else { return }
        (isBusy, error) = (true, nil)
        defer { isBusy = false }
        await username.settle()
        guard isComplete else { return }
        do throws(ClientError) {
            // The app hears of the complete profile by itself.
            try await client.profile.edit(EditProfile(displayName: displayName, username: username.text))
        } catch {
            self.error = ErrorWords.sentence(error)
        }
    }

    /// Another number, after all.
    public func logOutTapped() async {
        guard !isBusy else { return }
        isBusy = true
        defer { isBusy = false }
        do throws(ClientError) {
            try await client.auth.logOut()
        } catch {
            self.error = ErrorWords.sentence(error)
        }
    }
}
