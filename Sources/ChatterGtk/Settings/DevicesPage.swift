import ChatterViewModels

/// The devices that are signed in to this account.
struct DevicesPage {
    let root: Widget

    init(_ main: MainViewModel, _ pages: PageStack) {
        let model = main.devices()
        let devices = ListBox("Devices").css("boxed-list").rows({ model.devices }) { device in
            let row = ActionRow().prefix(Image(icon: "computer-symbolic")).subtitleLines(0).titleLines(2)
            if !device.isCurrent {
                row.suffix(
                    Button("Sign Out") { Self.ask(device, model, over: row) }
                        .accessible("Sign out \(device.name)"))
            }
            return (row.any, { row.show($0.name, $0.detail) })
        }
        let list = PreferencesPage(
            "", icon: "",
            PreferencesGroup("", "Sign out a device that you lost, or that is not yours.", devices))
        let failed = StatusPage(
            icon: "network-offline-symbolic", "Devices Can’t Be Shown", "",
            child: Button("Try Again") { await model.retryTapped() }.css("pill", "suggested-action")
                .align(.center))
        let states = Stack(crossfade: false)
        states.add(Spinner.alone("Loading devices…"), "loading").add(list, "list").add(failed, "failed")
        states.observe {
            switch model.state {
            case .loading: $0.show("loading")
            case .list: $0.show("list")
            case .failed(let why):
                failed.show("Devices Can’t Be Shown", why)
                $0.show("failed")
            }
        }
        let content = ToastOverlay(states.expand(horizontally: true, vertically: true))
            .notices({ model.notice }, closed: { model.noticeClosed() })
        root = SettingsSubpage("Devices", pages, content).root.task { await model.run() }
    }

    private static func ask(_ device: DeviceRow, _ model: DevicesViewModel, over row: ActionRow) {
        MessageDialog(
            over: row, "Sign Out “\(device.name)”?",
            "Chatter there forgets this account. Messages that it has not sent yet are lost.",
            [
                .init(title: "Cancel"),
                .init(title: "Sign Out", appearance: .destructive) { await model.signOutTapped(device.id) },
            ]
        ).present()
    }
}
