import ChatterViewModels

/// The first page of the settings.
struct SettingsPage {
    let root: Widget
    private let main: MainViewModel
    private let pages: PageStack

    init(_ main: MainViewModel, _ pages: PageStack) {
        self.main = main
        self.pages = pages
        let page = PreferencesPage()
        root = Box.column(HeaderBar(), page.expand(horizontally: true, vertically: true)).any
        page.add(PreferencesGroup("", "", profileRow()))
        page.add(privacy())
        page.add(
            PreferencesGroup(
                "This Account", "",
                leading("Devices", "Where you are signed in") { DevicesPage(main, pages).root },
                leading("Status", "What waits to be sent, and the connection") {
                    StatusSettingsPage(main, pages).root
                }))
        page.add(PreferencesGroup("", "", logOutRow(), deleteRow()))
    }

    private func profileRow() -> ActionRow {
        let avatar = Avatar(size: 48).margin(vertical: 6)
        let row = leading("") { ProfilePage(main.profile, pages).root }.prefix(avatar)
        return row.observe {
            let me = main.profile
            avatar.show(name: me.face.name)
            $0.show(me.face.name, me.handle)
            $0.accessible(description: me.spoken)
        }
    }

    private func privacy() -> PreferencesGroup {
        PreferencesGroup(
            "Privacy", "",
            ActionRow.toggle(
                "Show When I Was Last Seen", "Off: friends don’t see when you were here last.",
                isOn: { main.profile.showsLastSeen }, switched: { await main.profile.lastSeenSwitched($0) }),
            leading("Blocked Users") { BlockedPage(main, pages).root })
    }

    private func logOutRow() -> ActionRow {
        let account = main.account
        let row = ActionRow("Log Out")
        row.onActivate { account.logOutQuestion.ask(over: row) { await account.logOutTapped() } }
        return row.observe { $0.isSensitive = !account.isBusy }
    }

    private func deleteRow() -> ActionRow {
        let row = leading("Delete Account") { DeleteAccountPage(main.account, pages).root }.css("error")
        return row.observe { $0.isSensitive = !main.account.isBusy }
    }

    /// A row that opens a page, made when it is opened.
    private func leading(_ title: String, _ subtitle: String = "", to page: @escaping () -> Widget)
        -> ActionRow
    {
        ActionRow(title, subtitle, leadsTo: { [pages] in pages.push(page()) })
    }
}
