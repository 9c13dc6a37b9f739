import ChatterClient
import ChatterModel
import Foundation
import Observation

/// The app as a whole: which root is shown. It follows the session, whoever ends it.
@Observable
public final class AppModel {
    public enum Root {
        case opening
        /// The profile cannot be opened.
        case unavailable(String)
        case onboarding(OnboardingViewModel)
        case profileSetup(ProfileSetupViewModel)
        case main(MainViewModel)
    }

    public private(set) var root = Root.opening

    /// The window's: with how much is unread.
    public var title: String {
        guard case .main(let main) = root, main.chats.unread > 0 else { return "Chatter" }
        return "(\(main.chats.unread)) Chatter"
    }

    @ObservationIgnored private let open: () async throws(ClientError) -> ChatterClient
    @ObservationIgnored private let clock: any ChatterClock
    @ObservationIgnored private let words: TimeWords
    @ObservationIgnored private let locale: Locale
    @ObservationIgnored private let notifier: any Notifier
    @ObservationIgnored private var isActive = true
    /// A notification that was tapped before there was a main window.
    @ObservationIgnored private var tapped: Tapped?

    private enum Tapped {
        case chat(ID<Conversation>)
        case requests
    }
    @ObservationIgnored private var client: ChatterClient?

    /// - Parameters:
    ///   - locale: where this device is and what its person reads; for the names of countries.
    ///   - open: opens the profile; called again when the person retries.
    public init(
        clock: any ChatterClock = SystemClock(), words: TimeWords = TimeWords(),
        locale: Locale = .autoupdatingCurrent, notifier: any Notifier,
        open: @escaping () async throws(ClientError) -> ChatterClient
    ) {
        self.clock = clock
        self.words = words
        self.locale = locale
        self.notifier = notifier
        self.open = open
    }

    /// Opens the profile and follows the session until the task is cancelled or the client is closed.
    public func run() async {
        root = .opening
        let client: ChatterClient
        do throws(ClientError) {
            client = try await open()
        } catch {
            root = .unavailable(ErrorWords.sentence(error))
            return
        }
        self.client = client
        await client.setActive(isActive)
        await client.start()
        for await session in client.session {
            guard self.client === client else { return }
            await show(session, client)
        }
    }

    /// Each account gets models of its own; an edit of the profile is no reason for new ones.
    private func show(_ session: SessionState, _ client: ChatterClient) async {
        switch (session, root) {
        case (.signedIn, .main), (.profileIncomplete, .profileSetup): return
        case (.signedOut(let reason), _):
            root = .onboarding(
                OnboardingViewModel(reason, client: client, clock: clock, locale: locale))
        case (.profileIncomplete(let me), _):
            root = .profileSetup(ProfileSetupViewModel(me, client: client, clock: clock))
        case (.signedIn, _):
            let main = MainViewModel(client: client, clock: clock, words: words, notifier: notifier)
            main.becameActive(isActive)
            root = .main(main)
            await openTapped(main)
        }
    }

    private func openTapped(_ main: MainViewModel) async {
        defer { tapped = nil }
        switch tapped {
        case .chat(let id): await main.notificationTapped(id)
        case .requests: main.requestNotificationTapped()
        case nil: break
        }
    }

    /// A notification of a chat, at any time: before an account is there it is remembered.
    public func notificationTapped(_ id: ID<Conversation>) async {
        tapped = .chat(id)
        if case .main(let main) = root { await openTapped(main) }
    }

    /// A notification of a friend request.
    public func requestNotificationTapped() async {
        tapped = .requests
        if case .main(let main) = root { await openTapped(main) }
    }

    /// The device's clock was set, or its time zone changed.
    public func clockChanged() {
        if case .main(let main) = root { main.clockChanged() }
    }

    /// The window has, or lost, the person's attention; at any time, also before an account is there.
    public func becameActive(_ isActive: Bool) async {
        self.isActive = isActive
        if case .main(let main) = root { main.becameActive(isActive) }
        // Nothing tells of a clock that was set.
        if isActive { clockChanged() }
        await client?.setActive(isActive)
    }

    /// Stores what is pending and gives the profile back; `run` may open it again after that.
    public func quit() async {
        let (closing, ended) = (client, root)
        // From here on what is tapped waits for the next time.
        (client, root) = (nil, .opening)
        if case .main(let main) = ended { await main.storeDrafts() }
        await closing?.close()
    }
}
