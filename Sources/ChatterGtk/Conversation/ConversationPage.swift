import ChatterViewModels

/// An open chat: who it is with, what was written, and where one writes.
struct ConversationPage {
    let root: Widget

    init(_ model: ConversationViewModel, main: MainViewModel, leaflet: Leaflet) {
        let header = ConversationHeaderBar(model, main: main, leaflet: leaflet)
        // Beside the chat it stands above the lists.
        let banner = Box.column(Banner({ main.banner }).root)
        leaflet.whenFolded(shows: banner)
        let messages = MessageList(model)
        let composer = Composer(model, messages: messages)
        root =
            Box.column(
                header.root, banner, MissingNote(model).root,
                ToastOverlay(messages.root).notices({ model.notice }, closed: { model.noticeClosed() }),
                composer.root
            )
            .css("conversation").any
        composer.text.focusWhenShown()
        root.onTyping(goTo: composer.text)
        MessageDetailsWindow.follow(model, over: root)
        root.task { await model.run() }
    }
}

/// Says that messages in the middle are on their way.
private struct MissingNote {
    let root: Widget

    init(_ model: ConversationViewModel) {
        let label = Label().wrapping().centered().css("missing-note")
        let revealer = Revealer(label)
        revealer.observe { revealer in
            let note = model.missingNote
            // The words stay while it slides away.
            if let note { label.text = note }
            revealer.isRevealed = note != nil
        }
        root = revealer.any
    }
}
