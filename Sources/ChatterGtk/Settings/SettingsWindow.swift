import ChatterViewModels

/// One's own account and this app's settings: a first page, and pages that slide in over it.
struct SettingsWindow {
    private let window: Window

    init(_ main: MainViewModel, over parent: some WidgetHandle) {
        let pages = PageStack()
        pages.push(SettingsPage(main, pages).root)
        let content = ToastOverlay(pages)
            .notices({ main.profile.notice }, closed: { main.profile.noticeClosed() })
            .notices({ main.account.notice }, closed: { main.account.noticeClosed() })
        window = Window(over: parent, title: "Settings", width: 460, height: 640, content: content)
    }

    func present() { window.present() }
}

/// A page of the settings below the first: a title, the way back, and groups of rows.
struct SettingsSubpage {
    let root: Widget

    init(_ title: String, _ pages: PageStack, _ content: some WidgetHandle) {
        let back = Button(icon: "go-previous-symbolic", "Back") { pages.pop() }
        root = Box.column(HeaderBar(title: WindowTitle(title)).start(back), content).any
    }
}
