import ChatterModel
import ChatterViewModels

/// Why somebody, or one of their messages, is reported.
struct ReportDialog {
    private let dialog: MessageDialog

    init(
        question: String, over parent: some WidgetHandle,
        report: @escaping (Report.Reason, _ comment: String) async -> Void
    ) {
        var reason = Report.Reason.spam
        let comment = Entry("Comment", placeholder: "Comment (optional)")
        let reasons = Report.Reason.allCases.map { one in RadioButton(one.title) { reason = one } }
        let choice = RadioButton.column(reasons).accessible("Reason")
        reasons.first?.choose()
        dialog = MessageDialog(
            over: parent, question, "The people who run this server will look at it.",
            [
                MessageDialog.Response(title: "Cancel"),
                MessageDialog.Response(title: "Report", appearance: .destructive) {
                    await report(reason, comment.text)
                },
            ])
        dialog.extra(Box.column(spacing: 12, Scroller.growing(choice, upTo: 280, showsBar: true), comment))
    }

    func present() { dialog.present() }
}
