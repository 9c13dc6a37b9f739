import ChatterViewModels

/// What waits, what failed, how the connection stands.
struct StatusSettingsPage {
    let root: Widget

    init(_ main: MainViewModel, _ pages: PageStack) {
        let model = main.status()
        let lines = ListBox("Status").css("boxed-list").rows({ model.lines }) { _ in
            let row = ActionRow().subtitleLines(0).titleLines(2)
            return (row.any, { row.show($0.label, $0.value) })
        }
        let failures = ListBox("Not done").css("boxed-list").rows({ model.failed }) { failure in
            let row = ActionRow().subtitleLines(0).titleLines(2)
            row.suffix(
                Button(icon: "view-refresh-symbolic", "Try Again") { await model.retryTapped(failure.id) }
                    .css("flat")
            ).suffix(
                Button(icon: "user-trash-symbolic", "Discard") { await model.discardTapped(failure.id) }
                    .css("flat"))
            return (row.any, { row.show($0.title, $0.reason) })
        }
        let failed = PreferencesGroup("Not Done", "The server refused these. They wait for you.", failures)
        failed.observe { $0.isVisible = !model.failed.isEmpty }
        let page = PreferencesPage("", icon: "", failed, PreferencesGroup("", "", lines))
        let content = ToastOverlay(page.expand(horizontally: true, vertically: true))
            .notices({ model.notice }, closed: { model.noticeClosed() })
        root = SettingsSubpage("Status", pages, content).root.task { await model.run() }
    }
}
