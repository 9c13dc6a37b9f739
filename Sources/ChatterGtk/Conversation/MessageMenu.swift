import ChatterViewModels

/// What one can do with a message.
struct MessageMenu {
    private let model: ConversationViewModel

    init(_ model: ConversationViewModel) { self.model = model }

    /// Opens over the message's row, at a place in it or below it; other rows have no menu.
    func open(_ row: ConversationRow, over widget: Widget, x: Double? = nil, y: Double? = nil) {
        guard case .message(let bubble) = row.content else { return }
        let sections = bubble.actions.map { $0.map { item($0, bubble, widget) } }
        Menu(sections: sections).popUp(over: widget, x: x, y: y)
    }

    private func item(_ action: MessageAction, _ bubble: Bubble, _ widget: Widget) -> Menu.Item {
        Menu.Item(action.title) {
            switch action {
            case .copy: if let text = model.text(of: bubble.key) { Clipboard.copy(text) }
            case .details: model.detailsTapped(bubble.key)
            case .retry: await model.retryTapped(bubble.key)
            case .discard: await model.discardTapped(bubble.key)
            case .delete: askToDelete(bubble, over: widget)
            case .report:
                ReportDialog(question: "Report This Message?", over: widget) { reason, comment in
                    await model.reportTapped(bubble.key, reason, comment: comment)
                }.present()
            }
        }
    }

    private func askToDelete(_ bubble: Bubble, over widget: Widget) {
        var responses = [MessageDialog.Response(title: "Cancel")]
        let forMe = MessageDialog.Response(title: "Delete for Me", appearance: .destructive) {
            await model.deleteTapped(bubble.key, forEveryone: false)
        }
        responses.append(forMe)
        if bubble.canDeleteForEveryone {
            responses.append(
                MessageDialog.Response(title: "Delete for Everyone", appearance: .destructive) {
                    await model.deleteTapped(bubble.key, forEveryone: true)
                })
        }
        MessageDialog(
            over: widget, "Delete This Message?",
            bubble.canDeleteForEveryone
                ? "For everyone, a note remains that a message was deleted."
                : "It disappears on your devices. The other person keeps it.", responses
        ).present()
    }
}
