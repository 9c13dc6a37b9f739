import ChatterViewModels

/// The messages, at the newest unless one scrolled away from it, and the ways to where one is not.
final class MessageList {
    let root: Widget
    private let model: ConversationViewModel
    private let store: ListStore<MessageRow>
    private let list: ListView
    private let scroller: Scroller
    private let follower: EndFollower
    private let unread: Widget
    private var isLooking = false

    init(_ model: ConversationViewModel) {
        let store = ListStore<MessageRow>()
        let menu = MessageMenu(model)
        (self.model, self.store) = (model, store)
        list = store.makeView(
            "Messages",
            activated: { item in store.row(of: item.id).map { menu.open(item, over: $0.root) } },
            singleClick: false,
            makeRow: { MessageRow(model) }
        ).css("messages")
        scroller = Scroller(list)
        follower = EndFollower(
            scroller.adjustment,
            reached: { isAtEnd in perform { await model.scrolled(toEnd: isAtEnd) } },
            topReached: { perform { await model.topReached() } })
        unread = Self.unreadButton(model)
        // A page that is not full yet rests on the composer.
        let page = Overlay(RestingBin(scroller), over: Self.empty(model), Self.older(model))
        root = page.expand(horizontally: true, vertically: true).any

        page.add(unread)
        page.add(endButton())
        follow(menu)
        list.observe { [store] _ in store.items = model.rows }
        list.observe({ model.unreadJumps }) { [self] list, jumps in
            if jumps > 0 { list.afterLayout { [self] in scrollToUnread() } }
        }
        list.observe({ model.endJumps }) { [self] _, jumps in if jumps > 0 { scrollToEnd() } }
    }

    private func follow(_ menu: MessageMenu) {
        list.onSecondaryClick { [list, store] x, y in
            guard let (row, item) = store.row(at: y, in: list), let frame = row.root.frame(in: list) else {
                return
            }
            menu.open(item, over: row.root, x: x - frame.x, y: y - frame.y)
        }
        list.onMenuKey { [store] in
            if let (row, item) = store.focused { menu.open(item, over: row.root) }
        }
        let look: () -> Void = { [self] in
            guard !isLooking, model.unreadCount > 0 else { return }
            isLooking = true
            scroller.afterLayout { [self] in
                isLooking = false
                lookForUnread()
            }
        }
        scroller.adjustment.on("value-changed", look).on("changed", look)
    }

    // MARK: - Where it stands

    func scrollToEnd() { follower.scrollToEnd() }

    /// - Parameter pages: up are below 0.
    func scroll(by pages: Double) {
        let adjustment = scroller.adjustment
        adjustment.value += adjustment.page * pages
    }

    private func scrollToUnread() {
        guard let row = model.unreadRow, let position = store.position(of: row) else { return }
        follower.letGo()
        list.scroll(to: position)
    }

    /// A row that is not laid out is not in sight, nor is one that the list passes on its way.
    private func lookForUnread() {
        guard model.unreadCount > 0, !follower.isOnTheWay, let row = model.unreadRow else { return }
        let frame = store.row(of: row)?.root.frame(in: scroller)
        if let frame, 0 <= frame.y, frame.y + frame.height <= Double(scroller.height) {
            model.unreadSeen()
        } else {
            model.unreadMissed(inSight: store.first(inSightOf: list)?.id)
        }
        unread.isVisible = model.unreadCount > 0
    }

    // MARK: - What lies over it

    private static func empty(_ model: ConversationViewModel) -> Widget {
        let page = StatusPage(icon: "chat-symbolic", "").compact()
        return page.observe {
            $0.isVisible = model.isEmpty
            $0.show(model.emptyPlaceholder)
        }.any
    }

    private static func older(_ model: ConversationViewModel) -> Widget {
        let spinner = Spinner().accessible("Fetching older messages…")
        return spinner.css("floating", "older").align(.center, .start).observe {
            $0.isSpinning = model.isLoadingOlder
            $0.isVisible = model.isLoadingOlder
        }.any
    }

    /// There from the first look that does not find the line, until the line was seen.
    private static func unreadButton(_ model: ConversationViewModel) -> Widget {
        let words = Label()
        let arrow = Image(icon: "go-up-symbolic")
        let content = Box.row(spacing: 6, arrow, words)
        let button = Button(child: content, "") { await model.jumpToUnreadTapped() }.keepingFocus()
        button.isVisible = false
        return button.css("floating", "pill-small").align(.center, .start).observe {
            words.text = model.unreadSpoken
            $0.accessible(model.unreadSpoken)
            arrow.show(icon: model.isUnreadBelow ? "go-down-symbolic" : "go-up-symbolic")
            $0.align(.center, model.isUnreadBelow ? .end : .start)
            $0.isSensitive = !model.isSeekingUnread
            if model.unreadCount == 0 { $0.isVisible = false }
        }.any
    }

    private func endButton() -> Widget {
        let badge = Label().css("badge").align(.end, .start)
        let arrow = Image(icon: "go-down-symbolic").margin(horizontal: 12, vertical: 12)
        let button = Button(child: Overlay(arrow, over: badge), "") { [self] in scrollToEnd() }
        return button.keepingFocus().css("floating", "end").align(.end, .end).observe { [model] button in
            button.isVisible = !model.isAtEnd
            badge.text = model.newBelowBadge
            badge.isVisible = model.newBelow > 0
            button.accessible(model.newBelowSpoken)
        }.any
    }
}
