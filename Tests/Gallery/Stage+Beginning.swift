import ChatterClient
import ChatterViewModels

// Before anybody is signed in.
extension Stage {
    func opening() async throws {
        openApp { () async throws(ClientError) in
            // Until the picture was taken.
            do { try await ContinuousClock().sleep(for: .seconds(3600)) } catch {}
            throw ClientError(.cancelled, "the picture was taken")
        }
    }

    func unavailable() async throws {
        let app = openApp { () async throws(ClientError) in
            throw ClientError(.profileInUse(processID: 1), "in use")
        }
        try await until("the refusal") { if case .unavailable = app.root { true } else { false } }
    }

    @discardableResult
    func onboarding() async throws -> OnboardingViewModel {
        let app = openApp()
        return try await reached("the welcome page") {
            if case .onboarding(let model) = app.root { model } else { nil }
        }
    }

    /// Somebody else has ended the session.
    func signedOut() async throws {
        try await signUp()
        try await signIn()
        let main = try await openMain()
        try await until("the list") { main.chats.state == .empty }
        try await me.client.auth.deleteAccount()
        try await until("the welcome page") { [app] in
            if case .onboarding = app?.root { true } else { false }
        }
    }

    @discardableResult
    func phone(_ number: String) async throws -> OnboardingViewModel {
        let model = try await onboarding()
        model.startTapped()
        model.phoneTyped(number)
        return model
    }

    /// The list of countries.
    func country(_ query: String) async throws {
        try await phone("")
        try await click("Country")
        try await appears("Name or code")
        if !query.isEmpty { try await type(query, into: "Name or code") }
    }

    func phoneOffline() async throws {
        let model = try await phone("+49 30 12345678")
        me.goOffline()
        await model.phoneSubmitted()
        try await until("the reason") { model.error != nil }
    }

    @discardableResult
    func code(_ digits: String) async throws -> OnboardingViewModel {
        let model = try await phone("+49 30 12345678")
        await model.phoneSubmitted()
        try await until("the code's page") { if case .code = model.step { true } else { false } }
        await model.codeTyped(digits)
        try await until("the answer") { digits.count < 6 || model.error != nil }
        return model
    }

    func codeBusy() async throws {
        let model = try await code("12345")
        me.network.hold()
        Task { await model.codeTyped("123456") }
        try await until("the wait") { model.isBusy }
    }

    func profileSetup(username: String, isOffline: Bool = false) async throws {
        try await add(.tom)
        try await me.signIn(phone: scenario.server.newPhone())
        let app = openApp()
        let model = try await reached("the profile's page") {
            if case .profileSetup(let model) = app.root { model } else { nil }
        }
        guard !username.isEmpty else { return }
        if isOffline { me.goOffline() }
        model.nameTyped(Role.maya.name(variant))
        model.username.typed(username)
        scenario.clock.advance(by: .seconds(1))
        try await until("the server's word") { model.username.state != .checking }
    }
}
