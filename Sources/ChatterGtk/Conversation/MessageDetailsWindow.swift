import ChatterViewModels

/// Who wrote a message, when it was sent, and how far it got.
enum MessageDetailsWindow {
    /// Open for as long as the model has details.
    static func follow(_ model: ConversationViewModel, over page: Widget) {
        var open: Window?
        let close = {
            if let open, open.exists { open.destroy() }
            open = nil
        }
        page.observe({ model.details != nil }) { page, isOpen in
            close()
            guard isOpen else { return }
            let window = make(model, over: page)
            window.present()
            open = window
        }
        page.onDispose(close)
    }

    private static func make(_ model: ConversationViewModel, over page: Widget) -> Window {
        let sender = Label().css("heading").wrapping().leading()
        let text = Label().wrapping().leading().selectable()
        let lines = ListBox("Details").css("boxed-list").rows({ model.details?.lines.map(Line.init) ?? [] }) {
            _ in
            let row = ActionRow()
            return (row.any, { row.show($0.line.label, $0.line.value) })
        }
        let content = Box.column(spacing: 12, sender, lines, text).margin(horizontal: 18, vertical: 18)
        content.observe { _ in
            guard let details = model.details else { return }
            sender.text = details.sender
            text.text = details.text
        }
        let window = Window(
            over: page, title: "Message Details", width: 400, height: 460,
            content: Box.column(HeaderBar(), Scroller(content)))
        return window.onClose { model.detailsClosed() }
    }
}

/// Each label stands once.
private struct Line: Identifiable, Equatable {
    let line: MessageDetails.Line
    var id: String { line.label }
}
