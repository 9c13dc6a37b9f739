import ChatterModel
import ChatterViewModels

/// Who the chat is with and what they do; the way back, to their page, and to what one can do with the chat.
struct ConversationHeaderBar {
    let root: HeaderBar

    init(_ model: ConversationViewModel, main: MainViewModel, leaflet: Leaflet) {
        let back = Button(icon: "go-previous-symbolic", "Back") { main.conversationClosed() }
        let person = Self.person(model, main)
        let menu = MenuButton(icon: "view-more-symbolic", "Chat Menu")
        // Not its messages: an open menu stays as it is.
        menu.menu(following: { main.chats.row(model.id)?.commands }) { _ in
            let chat = main.chats.row(model.id).map { ChatMenu(chat: $0, model: main.chats).all.sections }
            let info = Menu.Item("Contact Info") { Self.showContact(model, main, over: menu) }
            return Menu(sections: [[info]] + (chat ?? []))
        }
        root = HeaderBar(title: person).start(back).end(menu)
        leaflet.whenFolded(shows: back)
        leaflet.whenFolded(showsStartButtonsOf: root)
    }

    private static func person(_ model: ConversationViewModel, _ main: MainViewModel) -> Button {
        let avatar = Avatar(size: 32)
        let title = Label().oneLine().leading().css("heading")
        let subtitle = Label().oneLine().leading().css("caption", "presence")
        let names = Box.column(title, subtitle).align(nil, .center)
        let button = Button(child: Box.row(spacing: 10, avatar, names), "") {}
        button.css("flat", "person").tooltip("Contact Info")
        button.on("clicked") { showContact(model, main, over: button) }
        return button.observe({ model.header }) { button, header in
            button.isVisible = header != nil
            guard let header else { return }
            title.text = header.title
            avatar.show(header.face)
            subtitle.text = header.subtitle ?? ""
            subtitle.isVisible = header.subtitle != nil
            subtitle.toggle("typing", header.isTyping)
            button.accessible(header.spoken)
        }
    }

    private static func showContact(
        _ model: ConversationViewModel, _ main: MainViewModel, over widget: some WidgetHandle
    ) {
        if let peer = model.header?.peer { ContactWindow(peer, main, over: widget).present() }
    }
}
