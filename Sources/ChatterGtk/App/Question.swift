import ChatterViewModels

extension Question {
    /// Asks, and does it when that is the answer.
    func ask(over parent: some WidgetHandle, _ action: @escaping () async -> Void) {
        MessageDialog(
            over: parent, title, explanation,
            [
                MessageDialog.Response(title: "Cancel"),
                MessageDialog.Response(title: answer, appearance: .destructive, action: action),
            ]
        ).present()
    }
}
