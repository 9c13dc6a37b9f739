import ChatterViewModels

/// Finding people.
struct AddFriendWindow {
    private let window: Window

    init(_ main: MainViewModel, over parent: some WidgetHandle) {
        window = Window(over: parent, title: "Add Friend", width: 420, height: 560, content: HeaderBar())
    }

    func present() { window.present() }
}
