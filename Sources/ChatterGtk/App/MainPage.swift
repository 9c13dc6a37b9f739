import ChatterViewModels

/// A signed-in account: the lists at the side, the open chat beside them; on a narrow window one of both.
struct MainPage {
    let root: Widget

    init(_ model: MainViewModel) {
        let side = Sidebar(model)
        let content = Stack(crossfade: false)
        let emptyHeader = HeaderBar(title: Label()).flat()
        let empty = StatusPage(
            icon: "chat-symbolic", "No Chat Open", "Choose a chat to read it and to write.")
        content.add(Box.column(emptyHeader, empty), "none")
        let leaflet = Leaflet(side: side.root, content: content.expand(horizontally: true, vertically: true))
        // The list's here, too: a chat is muted from its own page as well, with the list out of sight.
        root =
            ToastOverlay(leaflet).notices({ model.notice }, closed: { model.noticeClosed() })
            .notices({ model.chats.notice }, closed: { model.chats.noticeClosed() }).any

        leaflet.onFold { isFolded in
            model.folded(isFolded)
            side.header.showsWindowButtons(end: isFolded)
            emptyHeader.showsWindowButtons(start: isFolded)
        }
        // Who went back by a swipe has left the chat: what comes in then is not read.
        leaflet.onNavigation { child in
            if leaflet.isFolded, child.isSame(as: side.root) { model.conversationClosed() }
        }
        var shown: Widget?
        leaflet.observe({ model.conversation.map { ObjectIdentifier($0) } }) { leaflet, _ in
            let old = shown
            shown = nil
            if let conversation = model.conversation {
                let page = ConversationPage(conversation, main: model, leaflet: leaflet)
                content.replace(old, with: page.root)
                leaflet.show(content)
                // At once: keys that were pressed meanwhile come before the next frame.
                page.field.focus()
                shown = page.root
            } else {
                content.show("none")
                leaflet.show(side.root)
                if let old { content.remove(old) }
            }
        }
        root.task { await model.run() }
        StartTrace.follow(model, on: root)
    }
}
