import ChatterClient
import ChatterModel
import ChatterTestSupport
import Foundation
import Testing

@testable import ChatterViewModels

@Suite("From the welcome page to the chats", .timeLimit(.minutes(5)))
@MainActor
struct OnboardingTests {
    private func app(_ client: TestClient, _ scenario: Scenario) -> AppModel {
        AppModel(clock: scenario.clock, words: words(scenario.clock), notifier: RecordingNotifier()) {
            client.client
        }
    }

    private func onboarding(_ app: AppModel) async throws -> OnboardingViewModel {
        await until { if case .onboarding = app.root { true } else { false } }
        guard case .onboarding(let model) = app.root else { throw Scenario.Failure("no onboarding") }
        return model
    }

    private func setup(_ app: AppModel) async throws -> ProfileSetupViewModel {
        await until { if case .profileSetup = app.root { true } else { false } }
        guard case .profileSetup(let model) = app.root else { throw Scenario.Failure("no setup") }
        return model
    }

    @Test("A new person gives number, code and profile; only then the main window opens")
    func newPerson() async throws {
        let scenario = try await Scenario()
        let client = try await scenario.client(seed: 1)
        try await showing(app(client, scenario), { await $0.run() }) { app in
            let model = try await onboarding(app)
            #expect(model.step == .welcome)
            model.startTapped()
            model.phoneTyped("+1555000")
            #expect(!model.canAskForCode)
            model.phoneTyped("+1 555 000 0042")
            #expect(model.canAskForCode)
            await model.phoneSubmitted()
            #expect(model.step == .code(phone: "+15550000042"))
            for count in 1...5 { await model.codeTyped(String(repeating: "0", count: count)) }
            #expect(model.code == "00000")
            await model.codeTyped("000000")
            let setup = try await setup(app)
            #expect(!setup.canSubmit)
            setup.nameTyped("Ann")
            setup.username.typed("ann_a")
            #expect(setup.username.state == .checking)
            scenario.clock.advance(by: .milliseconds(300))
            await until { setup.username.state == .available }
            await setup.submitted()
            await until { if case .main = app.root { true } else { false } }
        }
        await scenario.stop(client)
    }

    @Test("Enter while the username is being checked submits once it is checked, unless it is taken")
    func submittedWhileChecking() async throws {
        let scenario = try await Scenario()
        let bob = try await scenario.person("bob", seed: 2)
        let client = try await scenario.client(seed: 1)
        _ = try await client.signIn(phone: "+15550000077")
        try await showing(app(client, scenario), { await $0.run() }) { app in
            let setup = try await setup(app)
            setup.nameTyped("Ann")
            setup.username.typed("bob")
            await setup.submitted()
            #expect(setup.username.state == .taken("@bob is taken.") && !setup.isBusy)
            // On its way already.
            setup.username.typed("ann_a")
            client.network.hold()
            scenario.clock.advance(by: UsernameCheck.quiet)
            let submitting = Task.immediate { await setup.submitted() }
            #expect(setup.isBusy)
            client.network.release()
            await submitting.value
            await until { if case .main = app.root { true } else { false } }
        }
        await scenario.stop(bob, client)
    }

    @Test("A username that could not be checked is asked about again, more and more seldom")
    func askedAgain() async throws {
        let scenario = try await Scenario()
        let bob = try await scenario.person("bob", seed: 2)
        let client = try await scenario.client(seed: 1)
        _ = try await client.signIn(phone: "+15550000077")
        let check = UsernameCheck(client: client.client, clock: scenario.clock)
        client.goOffline()
        check.typed("bob")
        await check.settle()
        guard case .unknown = check.state else { throw Scenario.Failure("\(check.state)") }
        client.goOnline()
        scenario.clock.advance(by: UsernameCheck.retries.first)
        await until { check.state == .taken("@bob is taken.") }
        await scenario.stop(bob, client)
    }

    @Test("A wrong code says so, is emptied, and can be typed again")
    func wrongCode() async throws {
        let scenario = try await Scenario()
        let client = try await scenario.client(seed: 1)
        try await showing(app(client, scenario), { await $0.run() }) { app in
            let model = try await onboarding(app)
            model.startTapped()
            model.phoneTyped("+15550000042")
            await model.phoneSubmitted()
            await model.codeTyped("123456")
            #expect(model.error == "That code is not right.")
            #expect(model.code.isEmpty)
            await model.codeTyped("000000")
            _ = try await setup(app)
        }
        await scenario.stop(client)
    }

    @Test("Another code can be asked for after half a minute")
    func resend() async throws {
        let scenario = try await Scenario()
        let client = try await scenario.client(seed: 1)
        let model = OnboardingViewModel(
            nil, client: client.client, clock: scenario.clock, locale: Locale(identifier: "en_SG"))
        model.startTapped()
        #expect(model.phone.country.region == "SG")
        model.phoneTyped("+15550000042")
        await model.phoneSubmitted()
        #expect(model.resendIn == 30 && !model.canResend && model.resendTitle == "Send Again in 30 s")
        await model.resendTapped()
        #expect(client.network.requests.count { $0 == "POST /v1/auth/request-code" } == 1)
        while model.resendIn != nil {
            let left = model.resendIn
            scenario.clock.advance(by: .seconds(1))
            await until { model.resendIn != left }
        }
        #expect(model.canResend && model.resendTitle == "Send Again")
        await model.resendTapped()
        #expect(client.network.requests.count { $0 == "POST /v1/auth/request-code" } == 2)
        await scenario.stop(client)
    }

    @Test("Countries are found by their names in the person's language, and by their calling codes")
    func countries() async throws {
        let scenario = try await Scenario()
        let client = try await scenario.client(seed: 1)
        let model = OnboardingViewModel(
            nil, client: client.client, clock: scenario.clock, locale: Locale(identifier: "de_DE"))
        #expect(model.country.title == "🇩🇪 Deutschland" && model.country.code == "+49")
        let countries = model.countries()
        #expect(countries.rows.count == Country.all.count && countries.first?.name == "Afghanistan")
        countries.typed("öster")
        #expect(countries.rows.map(\.id) == ["AT"])
        countries.typed("+49")
        #expect(countries.rows.map(\.spoken) == ["Deutschland, +49"] && countries.first?.id == "DE")
        countries.typed("nowhere")
        #expect(countries.rows.isEmpty && countries.first == nil)
        await scenario.stop(client)
    }

    @Test("Without a connection the number stays, with a word on why")
    func offline() async throws {
        let scenario = try await Scenario()
        let client = try await scenario.client(seed: 1)
        let model = OnboardingViewModel(
            .refreshRefused, client: client.client, clock: scenario.clock, locale: Locale(identifier: "en"))
        #expect(model.reason?.contains("nothing stored here is lost") == true)
        client.goOffline()
        model.startTapped()
        model.phoneTyped("+15550000042")
        await model.phoneSubmitted()
        #expect(model.step == .phone)
        #expect(model.error == "The server can't be reached. Check your connection.")
        client.goOnline()
        await model.phoneSubmitted()
        #expect(model.step == .code(phone: "+15550000042"))
        model.backTapped()
        #expect(model.step == .phone && model.resendIn == nil && model.error == nil)
        await scenario.stop(client)
    }

    @Test("Whoever goes back stays there: a late answer changes nothing, and another number can be asked for")
    func backWhileAsking() async throws {
        let scenario = try await Scenario()
        let client = try await scenario.client(seed: 1)
        let model = OnboardingViewModel(
            nil, client: client.client, clock: scenario.clock, locale: Locale(identifier: "en_GB"))
        model.startTapped()
        model.phoneTyped("+1 555 000 0042")
        client.network.hold()
        let asking = Task.immediate { await model.phoneSubmitted() }
        #expect(model.isBusy)
        model.countryChosen(try #require(Country.all.first { $0.region == "SG" }))
        model.phoneTyped("")
        #expect(model.phone.state == .complete("+15550000042"))
        model.backTapped()
        #expect(model.step == .welcome && !model.isBusy)
        model.startTapped()
        model.phoneTyped("+1 555 000 0043")
        let again = Task.immediate { await model.phoneSubmitted() }
        client.network.release()
        await asking.value
        await again.value
        #expect(model.step == .code(phone: "+15550000043") && !model.isBusy)
        await scenario.stop(client)
    }

    @Test("Whoever goes back from the code hears nothing of it on the page before")
    func backWhileVerifying() async throws {
        let scenario = try await Scenario()
        let client = try await scenario.client(seed: 1)
        let model = OnboardingViewModel(
            nil, client: client.client, clock: scenario.clock, locale: Locale(identifier: "en_GB"))
        model.startTapped()
        model.phoneTyped("+1 555 000 0042")
        await model.phoneSubmitted()
        client.network.hold()
        let verifying = Task.immediate { await model.codeTyped("123456") }
        #expect(model.isBusy)
        model.backTapped()
        client.network.release()
        await verifying.value
        #expect(model.step == .phone && model.error == nil && !model.isBusy)
        await scenario.stop(client)
    }

    @Test("A taken username is told before it is submitted, a rule at once")
    func usernames() async throws {
        let scenario = try await Scenario()
        let bob = try await scenario.person("bob", seed: 2)
        let client = try await scenario.client(seed: 1)
        _ = try await client.signIn(phone: "+15550000077")
        let check = UsernameCheck(client: client.client, clock: scenario.clock)
        check.typed("b")
        guard case .invalid = check.state else { throw Scenario.Failure("\(check.state)") }
        check.typed("bob")
        scenario.clock.advance(by: .milliseconds(300))
        await until { check.state == .taken("@bob is taken.") }
        #expect(!check.isUsable)
        #expect(check.sentence == "@bob is taken." && check.sign == .refused)
        check.typed("bob1")
        #expect(check.sign == .working)
        #expect(check.sentence == "Checking…")
        scenario.clock.advance(by: .milliseconds(300))
        await until { check.state == .available }
        #expect(check.sentence == "This username is free." && check.sign == .good)
        let kept = UsernameCheck(client: client.client, clock: scenario.clock, own: "ann_a")
        #expect(kept.state == .own && kept.sentence == nil && kept.isUsable)
        check.typed("bob2")
        client.goOffline()
        scenario.clock.advance(by: .milliseconds(300))
        await until { if case .unknown = check.state { true } else { false } }
        #expect(check.isUsable && check.sign == .unsure)
        await scenario.stop(bob, client)
    }
}
