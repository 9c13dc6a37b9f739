import ChatterModel
import ChatterViewModels
import Foundation

/// The app's windows shown to a program instead of a person, each in a look of its own: for pictures and checks.
package final class Exhibition {
    let app: Application
    private let folder: URL

    /// - Parameter folder: for what the app would remember.
    package init(folder: URL) {
        self.folder = folder
        app = Application(id: "org.chatter.Exhibition", name: "Chatter")
    }

    /// Runs `body` in the app's loop and returns its exit code. A critical of the toolkit ends the process.
    package func run(_ body: @escaping () async -> Int32) -> Int32 {
        MainLoop.endAtCriticals()
        var code: Int32 = 0
        _ = app.run {
            Resources.install()
            Screen.dropTooltips()
        } activated: { [app] in
            app.hold()
            Task {
                code = await body()
                app.quit()
            }
        }
        return code
    }

    /// The app's own window on `model`, which is the caller's to run.
    package func open(_ model: AppModel, _ look: Look) -> Exhibit {
        look.apply()
        let state = WindowState(file: folder.appendingPathComponent("window.json"))
        state.remember(WindowState.Size(width: look.width, height: look.height))
        let window = AppWindow(app, model: model, state: state, closed: {})
        Actions(app: app, model: model, window: { window }, present: {}, quit: {}).install()
        window.present()
        return Exhibit(window)
    }
}

/// How a person has set up their desktop.
package struct Look: Hashable, Sendable {
    package var width = 980
    package var height = 720
    package var isDark = false
    package var isRightToLeft = false
    /// 1 is the size that people begin with.
    package var textScale = 1.0
    /// What moves, does; pictures want it to stand still.
    package var isAnimated = false

    package init() {}

    func apply() {
        Appearance.setFont("Cantarell 11")
        Appearance.setTextScale(textScale)
        Appearance.setAnimations(isAnimated)
        Appearance.setCursorBlink(false)
        Appearance.isDark = isDark
        Appearance.isRightToLeft = isRightToLeft
    }
}

/// The app's window and what opens over it.
package final class Exhibit {
    private let window: AppWindow

    init(_ window: AppWindow) { self.window = window }

    package func showSettings() { window.showSettings() }
    package func showAddFriend() { window.showAddFriend() }
    /// How often any row of a chat was drawn.
    package static var drawnRows: Int { MessageRow.shown }

    package func showContact(_ person: ID<User>) { window.showContact(person) }
    package func showShortcuts() { window.showShortcuts() }
    package func showAbout() { window.showAbout() }

    /// Whether there is something of this name in front after the next frame.
    package func shows(_ name: String) async -> Bool {
        await Screen.painted()
        return Screen.front?.find(name) != nil
    }

    /// Clicks what is on screen under this name, in the window that is in front; false when there is no such thing.
    package func click(_ name: String) -> Bool { Screen.front?.find(name)?.click() ?? false }

    /// Writes into the field of this name.
    package func type(_ text: String, into name: String) -> Bool {
        Screen.front?.find(name)?.write(text) ?? false
    }

    /// Scrolls the list of this name by so many pages: up are below 0.
    package func scroll(_ name: String, by pages: Double) -> Bool {
        Screen.front?.find(name)?.scroll(by: pages) ?? false
    }

    /// What the front window shows once two frames in a row are the same; nil when it never comes to rest.
    package func picture() async -> Picture? {
        var last: Picture?
        for _ in 0..<200 {
            await Screen.painted()
            guard Observer.isIdle, let picture = Screen.front?.picture() else { continue }
            if let last, last == picture { return picture }
            last = picture
        }
        return nil
    }

    /// Returns after the next frame with everything in it that has changed.
    package func painted() async {
        repeat { await Screen.painted() } while !Observer.isIdle
    }

    /// How many frames are painted during `body`, without being asked for.
    package func frames(during body: () async throws -> Void) async rethrows -> Int {
        try await Screen.frames(during: body)
    }

    /// Lists that exist, on screen or not.
    package static var listsAlive: Int { ListSource.alive }
    /// What this process has allocated and not freed, in bytes.
    package static var heapInUse: Int { Trace.heapInUse }

    package func close() {
        Screen.closeMenu()
        window.close()
    }
}
