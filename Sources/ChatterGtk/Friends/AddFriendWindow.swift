import ChatterViewModels

/// Finding people.
struct AddFriendWindow {
    private let window: Window

    init(_ main: MainViewModel, over parent: some WidgetHandle) {
        let model = main.addFriend()
        let search = SearchEntry("Search").bind({ model.query }, typed: { model.typed($0) })
        let content = Stack()
        let header = HeaderBar()
        let page = Box.column(
            header, Clamp(search.css("search"), width: 500).margin(horizontal: 12, vertical: 12), content)
        let overlay = ToastOverlay(page).notices({ model.notice }, closed: { model.noticeClosed() })
        let window = Window(over: parent, title: "Add Friend", width: 420, height: 560, content: overlay)
        self.window = window
        search.focusWhenShown().onEscape { window.close() }

        Self.fill(content, model) { id in
            await main.friendTapped(id)
            window.close()
        }
        window.task { await model.run() }
    }

    func present() { window.present() }

    /// - Parameter chat: opens the chat with a friend.
    private static func fill(
        _ content: Stack, _ model: AddFriendViewModel, chat: @escaping (FoundRow.ID) async -> Void
    ) {
        let words = StatusPage(icon: "system-search-symbolic", model.state.placeholder).compact()
        let retry = Button("Try Again") { await model.retryTapped() }.css("pill").align(.center)
        let failed = StatusPage(icon: "network-offline-symbolic", nil, child: retry).compact()
        let results = ListBox("Results").rows({ model.results }) { row($0, model, chat: chat) }
        content.add(words, "words").add(Spinner.alone("Searching…"), "searching").add(failed, "failed")
            .add(Scroller(Clamp(results.css("sidebar-list"), width: 500)), "results")
        content.observe { content in
            switch model.state {
            case .hint, .nobody:
                words.show(model.state.placeholder)
                content.show("words")
            case .failed:
                failed.show(model.state.placeholder)
                content.show("failed")
            case .searching: content.show("searching")
            case .results: content.show("results")
            }
        }
    }

    private static func row(
        _ found: FoundRow, _ model: AddFriendViewModel, chat: @escaping (FoundRow.ID) async -> Void
    ) -> (row: Widget, show: (FoundRow) -> Void) {
        var action = found.action
        let button = Button("") {
            if action == .chat { await chat(found.id) } else { await model.actionTapped(found.id) }
        }
        let (handle, oneself) = (Label(), Label(FoundRow.Action.none.title).css("subtle"))
        let line = FaceLine(subtitle: handle)
        line.end(oneself)
        line.end(button)
        let row = ListBoxRow(line.root.css("row-body"))
        return (
            row.any,
            { found in
                action = found.action
                line.show(found.face, found.name)
                handle.text = found.handle
                button.title = action.title
                button.accessible(found.actionSpoken)
                button.toggle("suggested-action", action == .add || action == .accept)
                button.isVisible = action != .none
                oneself.isVisible = action == .none
                row.accessible(found.spoken)
            }
        )
    }
}
