import ChatterClient
import ChatterGtk
import ChatterModel
import ChatterTestSupport
import ChatterViewModels
import Foundation

// The settings and their pages.
extension Stage {
    /// The settings over the chats, and in them the pages behind `rows`, one after the other.
    @discardableResult
    func settings(
        _ rows: String..., prepare: () async throws -> Void = {},
        before: (MainViewModel) async throws -> Void = { _ in }
    ) async throws -> MainViewModel {
        try await signUp()
        try await prepare()
        try await signIn()
        let main = try await openMain()
        try await until("the profile") { main.profile.me != nil && main.chats.state != .loading }
        try await before(main)
        try exhibit.showSettings()
        for row in rows { try await click(row) }
        return main
    }

    func offline(_ main: MainViewModel) async throws {
        me.goOffline()
        try await until("the banner") { main.banner != nil }
    }

    // MARK: - Profile and privacy

    @discardableResult
    func profile(prepare: () async throws -> Void = {}) async throws -> MainViewModel {
        let main = try await settings(Role.maya.name(variant), prepare: prepare)
        try await appears("About")
        return main
    }

    func profileUsername(_ username: String, isOffline: Bool = false) async throws {
        let main = try await profile { [self] in try await add(.tom) }
        if isOffline { try await offline(main) }
        main.profile.username.typed(username)
        try await passing("the server's word") { main.profile.username.state != .checking }
    }

    func profileRefused() async throws {
        let profile = try await profile().profile
        profile.nameTyped(String(repeating: "Maya ", count: 14))
        try await until("the reason") { profile.hint != nil }
    }

    func profileSaving() async throws {
        let profile = try await profile().profile
        profile.aboutTyped(text("Ashore again", "على البر من جديد"))
        me.network.hold()
        Task { await profile.saveTapped() }
        try await until("the wait") { profile.isSaving }
    }

    func profileQueued() async throws {
        let main = try await profile()
        try await offline(main)
        main.profile.aboutTyped(text("Ashore again", "على البر من جديد"))
        await main.profile.saveTapped()
        try await until("the change in the queue") { main.profile.isQueued && !main.profile.hasChanges }
    }

    func blocked(_ roles: Role...) async throws {
        try await settings(prepare: { [self] in
            for role in roles { try await befriend(role) }
        })
        for role in roles { try await me.client.friends.block(person(role).id) }
        try await click("Blocked Users")
        try await appears(roles.last.map { $0.name(variant) } ?? "Nobody Is Blocked")
    }

    // MARK: - Devices

    @discardableResult
    func devices() async throws -> MainViewModel {
        let main = try await settings(
            "Devices",
            prepare: { [self] in
                try await later(26 * 60)
                _ = try await scenario.server.signIn(
                    phone: myself.device.phone, name: "The old computer under the stairs at my grandparents’")
            })
        try await appears("maya's phone")
        return main
    }

    func devicesLoading() async throws {
        try await settings()
        me.network.hold()
        try await click("Devices")
        try await appears("Loading devices…")
    }

    func devicesFailed() async throws {
        try await settings(before: { [self] in try await offline($0) })
        try await click("Devices")
        try await appears("Try Again")
    }

    func devicesQuestion() async throws {
        try await devices()
        try await click("Sign out maya's phone")
        try await appears("Cancel")
    }

    func devicesRefused() async throws {
        let main = try await devices()
        try await offline(main)
        try await click("Sign out maya's phone")
        try await click("Sign Out")
        try await appears("The server can't be reached. Check your connection.")
    }

    // MARK: - Status

    /// - Parameter minutes: how far this device's clock is behind the server's.
    func status(minutes: Int = 0) async throws {
        let skew = Duration.seconds(minutes * 60 + (minutes > 0 ? 20 : 0))
        try await settings("Status", prepare: { [self] in scenario.server.clock.jump(by: skew) })
        try await appears("Connection")
    }

    /// Messages were missed, and are not here yet.
    func statusFetching() async throws {
        let main = try await settings(prepare: { [self] in try await befriend(.tom) })
        try await offline(main)
        for _ in 0..<3 { try await say("Hello?", in: person(.tom)) }
        me.network.hold()
        me.goOnline()
        try await until("the connection") { main.banner?.hasPrefix("Offline") == false }
        try await say("Where are you?", in: person(.tom))
        try await click("Status")
        try await appears("Connection")
    }

    /// Something waits, and something was refused.
    func statusQueue() async throws {
        let main = try await settings(prepare: { [self] in
            try await befriend(.tom)
            try await befriend(.sam)
        })
        try await offline(main)
        let sam = try person(.sam)
        try await me.client.messages.send("Did you hear about Lena?", in: chat(sam))
        _ = try await sam.device.call(Routes.removeFriend, ["userId": myself.id.rawValue])
        me.goOnline()
        try await until("the refusal") {
            main.chats.chats.contains { if case .message(_, .failed) = $0.preview { true } else { false } }
        }
        try await until("the connection") { main.banner == nil }
        try await offline(main)
        for line in ["Are you there?", "Call me."] {
            try await me.client.messages.send(line, in: chat(person(.tom)))
        }
        try await click("Status")
        try await appears("A message")
    }

    // MARK: - The end

    func logOut(unsent: Int = 0) async throws {
        try await settings(
            "Log Out", prepare: { [self] in try await befriend(.tom) },
            before: { [self] main in
                guard unsent > 0 else { return }
                try await until("the chat") { !main.chats.chats.isEmpty }
                try await offline(main)
                for _ in 0..<unsent { try await me.client.messages.send("Hello?", in: chat(person(.tom))) }
                try await until("the count") { main.account.unsent == unsent }
            })
        try await appears("Cancel")
    }

    @discardableResult
    func deleteAccount(typing word: String = "") async throws -> MainViewModel {
        let main = try await settings("Delete Account")
        try await type(word, into: "Type \(AccountViewModel.confirmation) to confirm")
        return main
    }

    func deleteAccountOffline() async throws {
        let main = try await deleteAccount(typing: AccountViewModel.confirmation)
        try await offline(main)
        await main.account.deleteTapped()
        try await until("the reason") { main.account.notice != nil }
    }

    /// The windows over the app's go with the account.
    func deleteAccountDone() async throws {
        let main = try await deleteAccount(typing: AccountViewModel.confirmation)
        await main.account.deleteTapped()
        try await until("the welcome page") { [app] in
            if case .onboarding = app?.root { true } else { false }
        }
        try await appears("Get Started")
    }
}
