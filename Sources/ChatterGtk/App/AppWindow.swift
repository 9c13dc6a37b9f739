import ChatterModel
import ChatterViewModels

/// The one window: whichever root the app shows.
final class AppWindow {
    private let window: Window
    private let model: AppModel
    private let state: WindowState

    init(_ app: Application, model: AppModel, state: WindowState, closed: @escaping () -> Void) {
        self.model = model
        self.state = state
        window = Window(app, title: model.title).minimum(width: 360, height: 294)
        let size = state.size
        window.resize(width: size.width, height: size.height)
        if size.isMaximized { window.maximize() }

        let stack = Stack()
        window.content(stack)
        var shown: Widget?
        stack.observe({ RootIdentity(model.root) }) { [window] stack, _ in
            let page = Self.page(model, window)
            // An account's windows do not outlive it.
            window.destroyWindowsOver()
            stack.replace(shown, with: page)
            shown = page
        }
        window.observe { $0.title = model.title }
        // From the start: a window that opens behind others is not looked at.
        perform { await model.becameActive(false) }
        // Also with one of the app's own windows over it: the person is here, and the chat behind it in sight.
        app.onActive { isActive in perform { await model.becameActive(isActive) } }
        window.onClose { [self] in
            remember()
            closed()
        }
    }

    private static func page(_ model: AppModel, _ window: Window) -> Widget {
        switch model.root {
        case .opening: OpeningPage().root
        case .unavailable(let sentence): UnavailablePage(sentence, retry: { await model.run() }).root
        case .onboarding(let onboarding): OnboardingPage(onboarding).root
        case .profileSetup(let setup): ProfileSetupPage(setup).root
        case .main(let main): MainPage(main).root
        }
    }

    private func remember() {
        let size = window.size
        state.remember(
            WindowState.Size(width: size.width, height: size.height, isMaximized: window.isMaximized))
    }

    func present() { window.present() }

    func close() { window.close() }

    // MARK: - What opens over it

    /// nil while nobody is signed in.
    private var main: MainViewModel? {
        if case .main(let main) = model.root { main } else { nil }
    }

    func showSettings() { if let main { SettingsWindow(main, over: window).present() } }
    func showAddFriend() { if let main { AddFriendWindow(main, over: window).present() } }
    func showContact(_ person: ID<User>) {
        if let main { ContactWindow(person, main, over: window).present() }
    }
    func showShortcuts() { ShortcutsWindow(over: window).present() }
    func showAbout() { AboutWindow(over: window).present() }
    func show(_ section: MainViewModel.Section) { main?.sectionTapped(section) }
    func step(by chats: Int) {
        main?.chatStepped(by: chats)
        // What is typed next belongs there.
        Observer.flush()
    }
    func closeChat() { main?.conversationClosed() }
}

/// What makes two roots the same page.
private enum RootIdentity: Equatable {
    case opening
    case unavailable(String)
    case model(ObjectIdentifier)

    init(_ root: AppModel.Root) {
        self =
            switch root {
            case .opening: .opening
            case .unavailable(let sentence): .unavailable(sentence)
            case .onboarding(let model): .model(ObjectIdentifier(model))
            case .profileSetup(let model): .model(ObjectIdentifier(model))
            case .main(let model): .model(ObjectIdentifier(model))
            }
    }
}
