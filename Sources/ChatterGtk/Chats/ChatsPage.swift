import ChatterViewModels

/// The chats list.
struct ChatsPage {
    let root: Widget

    init(_ main: MainViewModel) {
        let model = main.chats
        let add = Button("Add Friend", action: "app.add-friend").css("pill", "suggested-action")
        let stack = Stack()
            .page(.loading, Spinner.alone("Loading chats…"))
            .page(.empty, icon: "chat-symbolic", child: add.align(.center))
            .page(.chats, ChatList("Chats", main) { model.chats }.root)
            .page(.allArchived, icon: "archive-symbolic")
            .page(.archived, Self.archived(main))
        stack.observe { $0.show(model.page.rawValue) }
        root =
            Box.column(Self.archivedButton(model), stack.expand(horizontally: true, vertically: true)).any
    }

    /// Leads to the archived chats, where there are any.
    private static func archivedButton(_ model: ChatsViewModel) -> Button {
        let title = Label().leading().expand(horizontally: true)
        let content = Box.row(
            spacing: 12, Image(icon: "archive-symbolic"), title, Image(icon: "go-next-symbolic"))
        let button = Button(child: content, "Archived") { model.showsArchived = true }
        return button.css("flat", "archived").observe { button in
            title.text = model.archivedTitle ?? ""
            button.accessible(title.text)
            button.isVisible = model.archivedTitle != nil
        }
    }

    private static func archived(_ main: MainViewModel) -> Box {
        let back = Button(icon: "go-previous-symbolic", "Back to Chats") {
            main.chats.showsArchived = false
        }
        let title = Label("Archived").leading().css("heading")
        return Box.column(
            Box.row(spacing: 6, back.css("flat").focusWhenShown(), title).css("list-header"),
            ChatList("Archived Chats", main) { main.chats.archived }.root)
    }
}

extension Stack {
    fileprivate func page(_ page: ChatsViewModel.Page, _ child: some WidgetHandle) -> Stack {
        add(child, page.rawValue)
    }

    fileprivate func page(_ page: ChatsViewModel.Page, icon: String, child: (any WidgetHandle)? = nil)
        -> Stack
    {
        self.page(page, StatusPage(icon: icon, page.placeholder, child: child).compact())
    }
}

/// Chats under each other; the open one is marked, and stays in sight when the keyboard goes through them.
private struct ChatList {
    let root: Widget

    init(_ name: String, _ main: MainViewModel, _ chats: @escaping () -> [ChatRow]) {
        let store = ListStore<ChatCell>()
        let view = store.makeView(name, activated: { main.chatTapped($0.id) }) { ChatCell(main.chats) }
        view.css("sidebar-list").onMenuKey { store.focused?.row.popUpMenu() }
        view.observe({
            chats().map { ChatCell.Item(chat: $0, isOpen: $0.id == main.conversation?.id) }
        }) { _, items in store.items = items }
        // One at a time: a list that is not on screen has no frames, and what waits for one would pile up.
        var isWaiting = false
        view.observe({ main.conversation?.id }) { view, open in
            guard open != nil, !isWaiting else { return }
            isWaiting = true
            view.afterLayout {
                isWaiting = false
                let open = main.conversation?.id
                if let position = open.flatMap({ store.position(of: $0) }) { view.scroll(to: position) }
            }
        }
        root = Scroller(view).any
    }
}
