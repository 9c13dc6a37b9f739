import ChatterViewModels

/// Who asks to be a friend, and whom one has asked; nothing at all without a request.
struct RequestList {
    let root: Widget

    init(_ model: RequestsViewModel) {
        let badge = Label().css("badge", "numeric").align(nil, .center)
        badge.observe { badge in
            badge.text = "\(model.count)"
            badge.isVisible = model.count > 0
        }
        let title = Box.row(spacing: 8, Label("Requests").css("heading"), badge).css("list-header")
        let list = ListBox("Requests").rows({ model.all }) { Self.row($0, model) }
        let box = Box.column(
            title, Scroller.growing(list.css("sidebar-list"), upTo: 300), Separator.horizontal())
        root = box.observe { $0.isVisible = !model.isEmpty }.any
    }

    private static func row(_ request: RequestRow, _ model: RequestsViewModel)
        -> (row: Widget, show: (RequestRow) -> Void)
    {
        let id = request.id
        let subtitle = Label()
        let line = FaceLine(subtitle: subtitle)
        let cancel = Button("Cancel") { await model.cancelTapped(id) }
        let decline = Button("Decline") { await model.declineTapped(id) }.expand(horizontally: true)
        let accept = Button("Accept") { await model.acceptTapped(id) }.expand(horizontally: true)
        let answers = Box.row(spacing: 6, decline, accept.css("suggested-action"))
        line.end(cancel)
        let row = ListBoxRow(Box.column(spacing: 8, line.root, answers).css("row-body"))
        return (
            row.any,
            { request in
                line.show(request.face, request.name)
                subtitle.text = request.subtitle
                answers.isVisible = request.isIncoming
                cancel.isVisible = !request.isIncoming
                accept.accessible(request.acceptSpoken)
                decline.accessible(request.declineSpoken)
                cancel.accessible(request.cancelSpoken)
                row.accessible(request.spoken)
            }
        )
    }
}
