import ChatterViewModels

/// The devices that are signed in to this account.
struct DevicesPage {
    let root: Widget

    init(_ main: MainViewModel, _ pages: PageStack) {
        let model = main.devices()
        let devices = ListBox("Devices").css("boxed-list").rows({ model.devices }) { device in
            let row = ActionRow().prefix(Image(icon: "computer-symbolic")).subtitleLines(0).titleLines(2)
            if device.canSignOut {
                let question = device.signOutQuestion
                row.suffix(
                    Button(question.answer) {
                        question.ask(over: row) { await model.signOutTapped(device.id) }
                    }.accessible(device.signOutSpoken))
            }
            return (row.any, { row.show($0.name, $0.detail) })
        }
        let list = PreferencesPage(
            "", icon: "",
            PreferencesGroup("", "Sign out a device that you lost, or that is not yours.", devices))
        let failed = StatusPage(
            icon: "network-offline-symbolic", nil,
            child: Button("Try Again") { await model.retryTapped() }.css("pill", "suggested-action")
                .align(.center))
        let states = Stack(crossfade: false)
        states.add(Spinner.alone("Loading devices…"), "loading").add(list, "list").add(failed, "failed")
        states.observe {
            switch model.state {
            case .loading: $0.show("loading")
            case .list: $0.show("list")
            case .failed:
                failed.show(model.state.placeholder)
                $0.show("failed")
            }
        }
        let content = ToastOverlay(states.expand(horizontally: true, vertically: true))
            .notices({ model.notice }, closed: { model.noticeClosed() })
        root = SettingsSubpage("Devices", pages, content).root.task { await model.run() }
    }
}
