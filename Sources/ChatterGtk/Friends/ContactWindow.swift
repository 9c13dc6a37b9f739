import ChatterModel
import ChatterViewModels

/// Another person: who they are; block, report, remove.
struct ContactWindow {
    private let window: Window

    init(_ person: ID<User>, _ main: MainViewModel, over parent: some WidgetHandle) {
        window = Window(over: parent, title: "Contact", width: 420, height: 560, content: HeaderBar())
    }

    func present() { window.present() }
}
