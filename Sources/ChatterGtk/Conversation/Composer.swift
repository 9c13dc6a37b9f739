import ChatterViewModels

/// Where a message is written; where none can be, why, and what would help.
struct Composer {
    let root: Widget
    let text = TextView("Message")

    init(_ model: ConversationViewModel, messages: MessageList) {
        let open = Self.field(text, model, messages)
        let closed = Self.closed(model)
        root = Box.column(open, closed).css("composer").any
        root.observe({ model.composer }) { _, state in
            open.isVisible = state == .open
            closed.isVisible = state != .open
        }
    }

    private static func field(
        _ text: TextView, _ model: ConversationViewModel, _ messages: MessageList
    ) -> Widget {
        let placeholder = Label("Message").css("placeholder").align(.start, .center).set("can-target", false)
        let scroller = Scroller.growing(text, upTo: 140)
        let field = Overlay(scroller, over: placeholder).roomFor(placeholder).css("field").expand(
            horizontally: true
        )
        .align(nil, .center)
        text.bind({ model.draft }, typed: { await model.typed($0) })
        var isComposing = false
        let showPlaceholder = { placeholder.isVisible = model.draft.isEmpty && !isComposing }
        placeholder.observe { _ in showPlaceholder() }
        text.onComposing {
            isComposing = $0
            showPlaceholder()
        }

        let send = { perform { await model.sendTapped() } }
        let button = Button(icon: "paper-plane-symbolic", "Send") { send() }.keepingFocus()
            .css("suggested-action", "circular", "send").align(nil, .end)
        button.observe { $0.isSensitive = model.canSend }
        text.onKey { key, modifiers in
            switch key {
            case .return where !modifiers.contains(.shift): send
            case .pageUp where modifiers.isEmpty: { messages.scroll(by: -0.9) }
            case .pageDown where modifiers.isEmpty: { messages.scroll(by: 0.9) }
            case .end where modifiers == .control:
                {
                    messages.scrollToEnd()
                    text.cursorToEnd()
                }
            default: nil
            }
        }
        return Box.row(spacing: 8, field, button).any
    }

    private static func closed(_ model: ConversationViewModel) -> Widget {
        let reason = Label().wrapping().centered()
        let remedy = Button("") { await model.remedyTapped() }.css("pill-small").align(.center)
        let box = Box.column(spacing: 8, reason, remedy).css("closed")
        return box.observe { _ in
            // Open again: it slides out of sight with its words.
            guard case .closed(let text, let way) = model.composer else { return }
            reason.text = text
            remedy.isVisible = way != nil
            if let way { remedy.title = way.title }
        }.any
    }
}
