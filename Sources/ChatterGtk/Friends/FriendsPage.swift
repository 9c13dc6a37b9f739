import ChatterViewModels

/// Friends, and the requests to become one.
struct FriendsPage {
    let root: Widget

    init(_ main: MainViewModel) {
        root = StatusPage("Friends").any
    }
}
