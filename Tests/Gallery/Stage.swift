import ChatterClient
import ChatterGtk
import ChatterModel
import ChatterTestSupport
import ChatterViewModels
import Foundation
import Observation

/// Where one state is set up: a server, the person whose app is shown, and the people they know.
final class Stage {
    let variant: Variant
    let scenario: Scenario
    /// Whose app is shown.
    let me: TestClient
    /// The first is the one whose app is shown.
    var people: [Person] = []
    private let exhibition: Exhibition
    private var shown: Exhibit?
    private var running: Task<Void, Never>?
    private(set) var app: AppModel?

    init(_ exhibition: Exhibition, _ variant: Variant) async throws {
        self.exhibition = exhibition
        self.variant = variant
        scenario = try await Scenario()
        scenario.clock.set(scenario.server.clock.now)
        me = try await scenario.client(seed: 1)
    }

    func stop() async {
        me.network.release()
        shown?.close()
        running?.cancel()
        await running?.value
        await scenario.stop(me)
    }

    // MARK: - The app

    var exhibit: Exhibit {
        get throws {
            guard let shown else { throw Gallery.Failure("nothing was opened") }
            return shown
        }
    }

    /// Opens the window; on `open` hangs which root it comes to.
    @discardableResult
    func openApp(_ open: @escaping () async throws(ClientError) -> ChatterClient) -> AppModel {
        let clock = scenario.clock
        let words = TimeWords(clock: clock) {
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = .gmt
            calendar.locale = Locale(identifier: "en_GB")
            return calendar
        }
        let app = AppModel(
            clock: clock, words: words, locale: Locale(identifier: "en_GB"), notifier: NoNotifier(),
            open: open)
        self.app = app
        shown = exhibition.open(app, variant.look)
        running = Task { await app.run() }
        return app
    }

    func openApp() -> AppModel { openApp { [me] in me.client } }

    /// Opens the app of somebody who is signed in.
    func openMain() async throws -> MainViewModel {
        let app = openApp()
        let main = try await reached("the main page") {
            if case .main(let main) = app.root { main } else { nil }
        }
        // A display without a window manager gives nothing the focus.
        await app.becameActive(true)
        return main
    }

    func click(_ name: String) async throws {
        try await appears(name)
        guard try exhibit.click(name) else { throw Gallery.Failure("“\(name)” can't be clicked") }
    }

    func type(_ text: String, into name: String) async throws {
        try await appears(name)
        guard try exhibit.type(text, into: name) else { throw Gallery.Failure("“\(name)” is no field") }
    }

    func scroll(_ name: String, by pages: Double) async throws {
        try await appears(name)
        guard try exhibit.scroll(name, by: pages) else {
            throw Gallery.Failure("“\(name)” can't be scrolled")
        }
    }

    // MARK: - Waiting

    /// The first value that `look` has, looked for again whenever something it read has changed.
    @discardableResult
    func reached<Value>(_ what: String, _ look: @escaping () -> Value?) async throws -> Value {
        let limit = ContinuousClock.now + .seconds(20)
        while true {
            let (changes, change) = AsyncStream<Void>.makeStream()
            if let value = withObservationTracking(look, onChange: { change.finish() }) { return value }
            guard ContinuousClock.now < limit else { throw Gallery.Failure("\(what): never reached") }
            let alarm = Task {
                try await ContinuousClock().sleep(until: limit)
                change.finish()
            }
            for await _ in changes {}
            alarm.cancel()
        }
    }

    /// Something of this name is on screen.
    func appears(_ name: String) async throws {
        let limit = ContinuousClock.now + .seconds(20)
        while try await !exhibit.shows(name) {
            guard ContinuousClock.now < limit else { throw Gallery.Failure("there is no “\(name)”") }
        }
    }

    /// Lets time pass until `condition` is met: for what somebody waits a moment to do.
    func passing(_ what: String, _ condition: () -> Bool) async throws {
        let limit = ContinuousClock.now + .seconds(20)
        while !condition() {
            guard ContinuousClock.now < limit else { throw Gallery.Failure("\(what): never reached") }
            scenario.clock.advance(by: .milliseconds(300))
            try await exhibit.painted()
        }
    }

    func until(_ what: String, _ condition: @escaping () -> Bool) async throws {
        try await reached(what) { condition() ? true : nil }
    }
}

/// Pictures are taken while somebody looks.
private struct NoNotifier: Notifier {
    func post(_ notification: ChatterViewModels.Notification) {}
    func withdraw(_ conversation: ID<Conversation>) {}
    func withdrawAll() {}
}
