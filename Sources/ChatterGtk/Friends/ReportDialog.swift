import ChatterModel
import ChatterViewModels

/// Why somebody, or one of their messages, is reported.
struct ReportDialog {
    private let dialog: MessageDialog

    init(_ model: ReportViewModel, over parent: some WidgetHandle) {
        let comment = Entry("Comment", placeholder: "Comment (optional)")
            .bind({ model.comment }, typed: { model.commentTyped($0) })
        let reasons = Report.Reason.allCases.map { reason in
            RadioButton(reason.title) { model.reasonChosen(reason) }
        }
        let choice = RadioButton.column(reasons).accessible("Reason")
        dialog = MessageDialog(
            over: parent, model.question.title, model.question.explanation,
            [
                MessageDialog.Response(title: "Cancel"),
                MessageDialog.Response(title: model.question.answer, appearance: .destructive) {
                    await model.sendTapped()
                },
            ])
        dialog.enable(1) { model.canSend }
        dialog.extra(Box.column(spacing: 12, Scroller.growing(choice, upTo: 280, showsBar: true), comment))
    }

    func present() { dialog.present() }
}
