import ChatterViewModels

/// The chats list.
struct ChatsPage {
    let root: Widget

    init(_ main: MainViewModel) {
        root = StatusPage("Chats").any
    }
}
