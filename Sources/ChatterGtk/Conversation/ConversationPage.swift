import ChatterViewModels

/// An open chat: who it is with, what was written, and where one writes.
struct ConversationPage {
    let root: Widget
    /// Where one writes.
    let field: TextView

    init(_ model: ConversationViewModel, main: MainViewModel, leaflet: Leaflet) {
        let header = ConversationHeaderBar(model, main: main, leaflet: leaflet)
        // Beside the chat it stands above the lists.
        let banner = Box.column(Banner({ main.banner }).root)
        leaflet.whenFolded(shows: banner)
        // Messages in the middle that are on their way.
        let missing = Banner({ model.missingNote }, style: "note")
        let messages = MessageList(model)
        let composer = Composer(model, messages: messages)
        root =
            Box.column(
                header.root, banner, missing.root,
                ToastOverlay(messages.root).notices({ model.notice }, closed: { model.noticeClosed() }),
                composer.root
            )
            .css("conversation").any
        field = composer.text.focusWhenShown()
        root.onTyping(goTo: field)
        MessageDetailsWindow.follow(model, over: root)
        root.task { await model.run() }
    }
}
