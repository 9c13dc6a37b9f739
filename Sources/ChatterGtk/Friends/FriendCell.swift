import ChatterViewModels

/// A row of the friends list.
final class FriendCell: ListRow {
    let root: Widget
    private let main: MainViewModel
    private let line: FaceLine
    private let subtitle = Label()
    private let info = Button(icon: "avatar-default-symbolic", "Contact Info")
    private var friend: FriendRow?

    init(_ main: MainViewModel) {
        self.main = main
        line = FaceLine(subtitle: subtitle)
        root = line.root.css("row-body").any
        line.end(info.css("flat", "circular"))
        info.onClick { [self] in openInfo() }
        root.onSecondaryClick { [self] x, y in popUpMenu(x: x, y: y) }
    }

    func show(_ friend: FriendRow) {
        self.friend = friend
        line.show(friend.face, friend.name, isOnline: friend.isOnline)
        subtitle.text = friend.subtitle
        info.accessible(friend.infoSpoken)
    }

    func spoken(_ friend: FriendRow) -> String { friend.spoken }

    func popUpMenu(x: Double? = nil, y: Double? = nil) {
        guard let friend else { return }
        let menu = Menu(
            [
                Menu.Item("Message") { [main] in await main.friendTapped(friend.id) },
                Menu.Item("Contact Info") { [self] in openInfo() },
            ],
            [
                Menu.Item("Remove Friend…") { [main, root] in
                    friend.removeQuestion.ask(over: root) {
                        await main.friends.removeTapped(friend.id)
                    }
                }
            ])
        menu.popUp(over: root, x: x, y: y)
    }

    private func openInfo() {
        if let friend { ContactWindow(friend.id, main, over: root).present() }
    }
}
