import ChatterViewModels

/// Friends, and the requests to become one.
struct FriendsPage {
    let root: Widget

    init(_ main: MainViewModel) {
        let (friends, requests) = (main.friends, main.requests)
        let add = Button("Add Friend", action: "app.add-friend").css("pill", "suggested-action")
        let stack = Stack()
            .add(Spinner.alone("Loading friends…"), "loading")
            .add(
                StatusPage(
                    icon: "system-users-symbolic", FriendsViewModel.State.empty.placeholder,
                    child: add.align(.center)
                ).compact(), "empty"
            )
            .add(Self.list(main), "list")
        stack.observe { $0.show(friends.state.rawValue) }
        let page = Box.column(
            RequestList(requests).root, stack.expand(horizontally: true, vertically: true))
        root =
            ToastOverlay(page)
            .notices({ friends.notice }, closed: { friends.noticeClosed() })
            .notices({ requests.notice }, closed: { requests.noticeClosed() }).any
    }

    private static func list(_ main: MainViewModel) -> Box {
        let model = main.friends
        let store = ListStore<FriendCell>()
        let view = store.makeView(
            "Friends", activated: { friend in perform { await main.friendTapped(friend.id) } }
        ) { FriendCell(main) }
        view.css("sidebar-list").onMenuKey { store.focused?.row.popUpMenu() }
        view.observe({ model.friends }) { _, friends in store.items = friends }
        let search = SearchEntry("Search Friends").bind({ model.query }, typed: { model.typed($0) })
        search.onEscape { model.typed("") }.margin(horizontal: 12, top: 9, bottom: 3)
        search.observe { $0.isVisible = model.offersSearch }
        let found = Stack(crossfade: false).add(Scroller(view), "found")
            .add(StatusPage(icon: "system-search-symbolic", FriendsViewModel.nobody).compact(), "nobody")
        found.observe { $0.show(model.findsNobody ? "nobody" : "found") }
        return Box.column(search, found.expand(horizontally: true, vertically: true))
    }
}
