/// The keyboard's ways, all on one page.
struct ShortcutsWindow {
    private let window: Window

    init(over parent: Window) {
        let page = PreferencesPage()
        for group in Actions.shortcuts {
            let rows = PreferencesGroup(group.title)
            for (accelerators, title) in group.keys {
                let ways = Box.column(spacing: 6).align(nil, .center).margin(vertical: 6)
                for way in accelerators { ways.append(ShortcutLabel(way).align(.end)) }
                rows.add(ActionRow(title).suffix(ways))
            }
            page.add(rows)
        }
        window = Window(
            over: parent, title: "Keyboard Shortcuts", width: 460, height: 560,
            content: Box.column(HeaderBar(), page.expand(horizontally: true, vertically: true)))
    }

    func present() { window.present() }
}

struct AboutWindow {
    private let window: Window

    init(over parent: Window) {
        window = .about(
            over: parent, name: "Chatter", icon: DesktopApp.id, version: DesktopApp.version,
            comments: "Messages that arrive: never lost, never twice, never out of order.")
    }

    func present() { window.present() }
}
