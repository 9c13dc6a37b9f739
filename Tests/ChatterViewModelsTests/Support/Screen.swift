import ChatterClient
import ChatterModel
import ChatterTestSupport
import Foundation
import Observation

@testable import ChatterViewModels

/// A screen of one person: a view model that runs while `use` does.
@MainActor
func showing<Model: Sendable>(
    _ model: Model, _ run: @escaping @MainActor (Model) async -> Void, _ use: (Model) async throws -> Void
) async throws {
    let task = Task { await run(model) }
    do {
        try await use(model)
    } catch {
        task.cancel()
        throw error
    }
    task.cancel()
    await task.value
}

/// British words, UTC, by the tests' clock.
func words(_ clock: any ChatterClock) -> TimeWords {
    TimeWords(clock: clock) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: "UTC") ?? .gmt
        calendar.locale = Locale(identifier: "en_GB")
        return calendar
    }
}

/// Keeps what was posted.
@MainActor
@Observable
final class RecordingNotifier: Notifier {
    private(set) var posted: [ChatterViewModels.Notification] = []
    private(set) var withdrawn: [ID<Conversation>] = []

    nonisolated init() {}

    func post(_ notification: ChatterViewModels.Notification) { posted.append(notification) }
    func withdraw(_ conversation: ID<Conversation>) { withdrawn.append(conversation) }
    private(set) var requests: [RequestNotification] = []
    private(set) var withdrawnRequests: [ID<User>] = []

    func post(_ request: RequestNotification) { requests.append(request) }
    func withdrawRequest(of user: ID<User>) { withdrawnRequests.append(user) }
    func withdrawAll() { posted = [] }
}

/// Ann's screens are looked at.
extension ChatScene {
    @MainActor
    func conversation(of person: TestClient? = nil) -> ConversationViewModel {
        ConversationViewModel(
            chat, client: (person ?? ann).client, clock: scenario.clock, words: words(scenario.clock))
    }

    @MainActor
    func main(_ notifier: any Notifier) -> MainViewModel {
        MainViewModel(
            client: ann.client, clock: scenario.clock, words: words(scenario.clock), notifier: notifier)
    }

    func id(of person: TestClient) async throws -> ID<User> {
        try await person.client.profile.me().first("profile") { _ in true }.id
    }
}
