import ChatterViewModels

/// One's own account and this app's settings.
struct SettingsWindow {
    private let window: Window

    init(_ main: MainViewModel, over parent: some WidgetHandle) {
        window = Window(over: parent, title: "Settings", width: 560, height: 640, content: HeaderBar())
    }

    func present() { window.present() }
}
