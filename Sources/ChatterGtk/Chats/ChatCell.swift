import ChatterModel
import ChatterViewModels

/// A row of the chats list.
final class ChatCell: ListRow {
    nonisolated struct Item: Identifiable, Hashable {
        var chat: ChatRow
        /// Its conversation is beside the list.
        var isOpen: Bool

        var id: ChatterModel.ID<Conversation> { chat.id }
    }

    let root: Widget
    private let model: ChatsViewModel
    private var chat: ChatRow?

    private let line: FaceLine
    private let time = Label().css("subtle", "numeric")
    private let tick = Image(icon: "tick-sent-symbolic").css("tick")
    private let draft = Label().css("preview", "draft")
    private let preview = Label().oneLine(maxWidthInCharacters: 20).leading().expand(horizontally: true).css(
        "preview")
    private let pinned = Image(icon: "view-pin-symbolic").css("mark")
    private let muted = Image(icon: "notifications-disabled-symbolic").css("mark")
    private let badge = Label().css("badge", "numeric")

    private let pin = Button(icon: "view-pin-symbolic", "Pin")
    private let archive = Button(icon: "archive-symbolic", "Archive")
    private let mute = Button(icon: "notifications-disabled-symbolic", "Mute")

    init(_ model: ChatsViewModel) {
        self.model = model
        line = FaceLine(
            beside: [time.align(nil, .baseline)],
            below: [tick, draft, preview, pinned, muted, badge.align(nil, .center)])
        // Over the row while the pointer is there; everybody else has the menu.
        let actions = Box.row().css("row-actions").align(.end, .center)
        actions.isVisible = false
        root = Overlay(line.root.css("row-body"), over: actions).any
        for button in [pin, archive, mute] { actions.append(button.keepingFocus().css("flat")) }
        pin.onClick { [self] in if let menu { await menu.run(menu.chat.pinning) } }
        archive.onClick { [self] in if let menu { await menu.run(menu.chat.archiving) } }
        mute.onClick { [self] in await muteTapped() }
        root.onHover { actions.isVisible = $0 }
        root.onSecondaryClick { [self] x, y in menu?.all.popUp(over: root, x: x, y: y) }
    }

    private var menu: ChatMenu? { chat.map { ChatMenu(chat: $0, model: model) } }

    func popUpMenu() { menu?.all.popUp(over: root) }

    private func muteTapped() async {
        guard let menu else { return }
        let choices = menu.chat.muting
        if choices.count == 1 { await menu.run(choices[0]) } else { menu.muting.popUp(over: root, at: mute) }
    }

    func show(_ item: Item) {
        let chat = item.chat
        self.chat = chat
        line.show(chat.face, chat.title)
        line.root.toggle("open", item.isOpen)
        time.text = chat.time
        show(chat.preview)
        pinned.isVisible = chat.isPinned
        muted.isVisible = chat.isMuted
        badge.text = chat.badge
        badge.isVisible = !chat.badge.isEmpty
        badge.toggle("muted", chat.isMuted)
        showActions(chat)
    }

    private func showActions(_ chat: ChatRow) {
        pin.show(icon: "view-pin-symbolic", chat.pinning.title)
        archive.show(
            icon: chat.isArchived ? "unarchive-symbolic" : "archive-symbolic", chat.archiving.title)
        mute.show(
            icon: chat.isMuted
                ? "preferences-system-notifications-symbolic" : "notifications-disabled-symbolic",
            chat.mutingTitle)
    }

    private func show(_ content: ChatRow.Preview) {
        preview.text = content.text
        tick.show(content.tick)
        preview.toggle("typing", content == .typing)
        draft.text = content.lead ?? ""
        draft.isVisible = content.lead != nil
    }

    func spoken(_ item: Item) -> String { item.chat.spoken(isOpen: item.isOpen) }
}
