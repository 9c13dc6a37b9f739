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
                if let report = model.report(bubble.key) { ReportDialog(report, over: widget).present() }
            }
        }
    }

    private func askToDelete(_ bubble: Bubble, over widget: Widget) {
        let answers = bubble.deleteChoices.map { choice in
            MessageDialog.Response(title: choice.title, appearance: .destructive) {
                await model.deleteTapped(bubble.key, choice)
            }
        }
        let question = bubble.deleteQuestion
        MessageDialog(
            over: widget, question.title, question.explanation,
            [MessageDialog.Response(title: "Cancel")] + answers
        ).present()
    }
}
