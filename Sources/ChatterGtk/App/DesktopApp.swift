import ChatterClient
import ChatterModel
import ChatterViewModels
import Foundation

/// The desktop app: one process, one profile, one window.
package final class DesktopApp {
    /// The default profile's; the same as the desktop file's name.
    package static let id = "org.chatter.Chatter"
    package static let version = "0.1.0"

    private let app: Application
    private let model: AppModel
    private let windowState: WindowState
    private var window: AppWindow?
    /// The window has gone and the profile is being given back; whether the app was started again meanwhile.
    private var ending: Ending?

    private enum Ending { case forGood, startedAgain }

    private var zone: FileMonitor?

    /// - Parameters:
    ///   - profile: each is an app of its own on the session's bus.
    ///   - stateFile: where the window's size is remembered.
    ///   - open: opens the profile; called again when the person retries.
    package init(
        profile: InstanceName, stateFile: URL,
        open: @escaping () async throws(ClientError) -> ChatterClient
    ) {
        app = Application(id: profile.applicationID, name: "Chatter")
        // A desktop drops notifications of an application that it has no desktop file of; the older way names ours.
        if profile.applicationID != Self.id { Application.notifyWithoutDesktopFile() }
        windowState = WindowState(file: stateFile)
        let system = SystemLocale(ProcessInfo.processInfo.environment)
        model = AppModel(
            words: TimeWords { system.calendar }, locale: system.reading, notifier: DesktopNotifier(app),
            open: open)
    }

    /// Runs until the window was closed or the process is asked to end; the process's exit code.
    package func run() -> Int32 {
        app.run(started: { [self] in started() }, activated: { [self] in activated() })
    }

    private func started() {
        Resources.install()
        Actions(
            app: app, model: model, window: { [self] in window }, present: { [self] in activated() },
            quit: { [self] in quit() }
        ).install()
        // The system's time zone; Foundation keeps the one it found first.
        zone = FileMonitor(path: "/etc/localtime") { [model] in
            NSTimeZone.resetSystemTimeZone()
            model.clockChanged()
        }
        for signal in [SIGINT, SIGTERM] { MainLoop.onUnixSignal(signal) { [self] in quit() } }
    }

    private func activated() {
        if let window { return window.present() }
        // The profile is not free yet.
        guard ending == nil else { return ending = .startedAgain }
        let window = AppWindow(app, model: model, state: windowState, closed: { [self] in finish() })
        self.window = window
        window.present()
        Task { [model] in await model.run() }
    }

    /// As if the window had been closed.
    private func quit() {
        if let window {
            window.close()
        } else if ending != nil {
            ending = .forGood
        } else {
            app.quit()
        }
    }

    /// Once, when the window goes: what is pending is stored before the process ends.
    private func finish() {
        guard window != nil else { return }
        (window, ending) = (nil, .forGood)
        app.hold()
        Task { [self] in
            await model.quit()
            let isWanted = ending == .startedAgain
            ending = nil
            if isWanted { activated() }
            app.release()
        }
    }
}
