import ChatterModel
import ChatterViewModels

/// What the keyboard, the menus and notifications can ask of the app.
struct Actions {
    static let openChat = "open-chat"
    static let openRequests = "open-requests"

    let app: Application
    let model: AppModel
    /// nil while there is none.
    let window: () -> AppWindow?
    /// Brings it up, also while there is none.
    let present: () -> Void
    let quit: () -> Void

    func install() {
        app.action("quit", keys: "<Control>q") { quit() }
        app.action("close-window", keys: "<Control>w") { app.activeWindow.close() }
        app.action("settings", keys: "<Control>comma") { window()?.showSettings() }
        app.action("add-friend", keys: "<Control>n") { window()?.showAddFriend() }
        app.action("shortcuts", keys: "<Control>question", "F1") { window()?.showShortcuts() }
        app.action("about") { window()?.showAbout() }
        app.action("chats", keys: "<Alt>1") { window()?.show(.chats) }
        app.action("friends", keys: "<Alt>2") { window()?.show(.friends) }
        app.action("next-chat", keys: "<Alt>Down", "<Control>Page_Down") { window()?.step(by: 1) }
        app.action("previous-chat", keys: "<Alt>Up", "<Control>Page_Up") { window()?.step(by: -1) }
        app.action("close-chat", keys: "<Alt>Left") { window()?.closeChat() }
        app.action(Self.openChat) { target in
            present()
            await model.notificationTapped(ID(target))
        }
        app.action(Self.openRequests) { _ in
            present()
            await model.requestNotificationTapped()
        }
    }

    /// For the shortcuts window: what each key does, in groups.
    static let shortcuts: [(title: String, keys: [(accelerators: [String], title: String)])] = [
        (
            "Chats",
            [
                (["<Control>n"], "Add a friend"), (["<Alt>Down", "<Control>Page_Down"], "Next chat"),
                (["<Alt>Up", "<Control>Page_Up"], "Previous chat"),
                (["<Alt>Left"], "Close the chat"), (["<Alt>1"], "Chats"), (["<Alt>2"], "Friends"),
            ]
        ),
        (
            "Messages",
            [
                (["Return"], "Send"), (["<Shift>Return"], "New line"),
                (["Menu"], "What one can do with a message"),
                (["<Control>End"], "Newest message"),
            ]
        ),
        (
            "General",
            [
                (["<Control>comma"], "Settings"), (["F1", "<Control>question"], "Keyboard shortcuts"),
                (["<Control>w"], "Close the window"), (["<Control>q"], "Quit"),
            ]
        ),
    ]
}
