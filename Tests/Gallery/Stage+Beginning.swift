import ChatterClient
import ChatterViewModels

// Before anybody is signed in.
extension Stage {
    func opening() async throws {
        openApp { () async throws(ClientError) in
            // Until the state's picture is taken.
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
    func onboarding(_ act: (OnboardingViewModel) async throws -> Void) async throws -> OnboardingViewModel {
        let app = openApp()
        let model = try await reached("the welcome page") {
            if case .onboarding(let model) = app.root { model } else { nil }
        }
        try await act(model)
        return model
    }
}
