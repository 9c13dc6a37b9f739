import ChatterViewModels

/// The lists: chats and friends, and what is wrong with the connection above them.
struct Sidebar {
    let root: Widget
    let header: HeaderBar

    init(_ model: MainViewModel) {
        let stack = ViewStack()
        let chats = stack.add(ChatsPage(model).root, "chats", title: "Chats", icon: "chat-symbolic")
        let friends = stack.add(
            FriendsPage(model).root, "friends", title: "Friends", icon: "system-users-symbolic")
        stack.observe { $0.shown = model.section == .friends ? "friends" : "chats" }
        stack.onChange { model.sectionShown($0 == "friends" ? .friends : .chats) }
        stack.observe { _ in
            chats.badge(model.chats.unread)
            friends.badge(model.requests.count)
        }

        let menu = MenuButton(icon: "open-menu-symbolic", "Main Menu", primary: true)
        menu.menu {
            Menu(
                [
                    Menu.Item("Settings", action: "app.settings"),
                    Menu.Item("Keyboard Shortcuts", action: "app.shortcuts"),
                ],
                [Menu.Item("About Chatter", action: "app.about")])
        }
        let add = Button(icon: "contact-new-symbolic", "Add Friend", action: "app.add-friend")
        let switcher = stack.switcher(title: "Chatter")
        header = HeaderBar(title: switcher.header).start(add).end(menu)
        let storage = Banner(
            { model.storageNotice }, canClose: { model.canCloseStorageNotice },
            closed: { model.storageNoticeClosed() })
        root =
            Box.column(
                header, Banner({ model.banner }).root, storage.root,
                stack.expand(horizontally: true, vertically: true), switcher.bar
            )
            // As wide as it must be: the room that rows would take belongs to the chat.
            .minimum(width: 320).expand(vertically: true).css("sidebar").any
    }
}

/// A line that says what is wrong for as long as it is, or until it was closed.
struct Banner {
    let root: Widget

    /// - Parameter style: `banner` is a warning, `note` is not.
    init(
        _ text: @escaping () -> String?, style: String = "banner", canClose: @escaping () -> Bool = { false },
        closed: @escaping () -> Void = {}
    ) {
        let label = Label().wrapping(maxWidthInCharacters: 30).centered().css("banner-text").expand(
            horizontally: true)
        let close = Button(icon: "window-close-symbolic", "Close", action: { closed() })
            .css("flat", "circular").align(nil, .center)
        close.observe { $0.isVisible = canClose() }
        let revealer = Revealer(Box.row(label, close))
        revealer.observe { revealer in
            let text = text()
            // The words stay while it slides away.
            if let text { label.text = text }
            revealer.isRevealed = text != nil
        }
        root = revealer.css(style).any
    }
}
