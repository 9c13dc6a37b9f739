import ChatterViewModels

/// The people whom one has blocked.
struct BlockedPage {
    let root: Widget

    init(_ main: MainViewModel, _ pages: PageStack) {
        let model = main.blocked()
        let people = ListBox("Blocked users").css("boxed-list").rows({ model.people }) { person in
            let row = ActionRow().prefix(Avatar(size: 32, name: person.face.name))
            row.suffix(
                Button("Unblock") { await model.unblockTapped(person.id) }
                    .accessible(person.unblockSpoken))
            return (row.any, { row.show($0.name, $0.handle) })
        }
        let list = PreferencesPage(
            "", icon: "", PreferencesGroup("", "They can’t write to you or send you requests.", people))
        let states = Stack(crossfade: false)
        states.add(Spinner.alone("Loading…"), "loading").add(list, "list").add(
            StatusPage(icon: "security-high-symbolic", BlockedViewModel.State.empty.placeholder), "empty")
        states.observe { $0.show(model.state.rawValue) }
        let content = ToastOverlay(states.expand(horizontally: true, vertically: true))
            .notices({ model.notice }, closed: { model.noticeClosed() })
        root = SettingsSubpage("Blocked Users", pages, content).root.task { await model.run() }
    }
}
