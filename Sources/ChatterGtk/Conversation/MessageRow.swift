import ChatterClient
import ChatterViewModels

/// A row of a conversation. Rows are recycled for whatever comes: each part is made when it is first needed.
final class MessageRow: ListRow {
    /// How often any row was drawn, for checks that nothing is drawn in vain.
    private(set) static var shown = 0

    private let box = Box.column()
    private let model: ConversationViewModel
    private var line: Label?
    private var bubble: BubbleView?
    private var failure: FailureLine?

    var root: Widget { box.any }

    init(_ model: ConversationViewModel) {
        self.model = model
        box.css("message-row")
    }

    func show(_ row: ConversationRow) {
        Self.shown += 1
        switch row.content {
        case .day(let text): show(line: text, isUnread: false)
        case .unread(let text): show(line: text, isUnread: true)
        case .message(let message): show(message)
        }
    }

    func spoken(_ row: ConversationRow) -> String { row.spoken }

    private func show(line text: String, isUnread: Bool) {
        bubble?.root.isVisible = false
        failure?.root.isVisible = false
        let label = line ?? made(Label().align(.center)) { line = $0 }
        label.isVisible = true
        label.text = text
        label.toggle("unread-line", isUnread)
        label.toggle("day", !isUnread)
        label.align(isUnread ? .fill : .center)
    }

    private func show(_ message: Bubble) {
        line?.isVisible = false
        let view = bubble ?? BubbleView(readMore: { [model] in model.expandTapped($0) })
        if bubble == nil {
            bubble = view
            box.append(view.root)
        }
        view.root.isVisible = true
        view.show(message)
        box.toggle("ends-group", message.isLastOfGroup)
        show(failure: message)
    }

    private func show(failure message: Bubble) {
        guard message.canRetry else {
            failure?.root.isVisible = false
            return
        }
        let view = failure ?? FailureLine(retry: { [model] in await model.retryTapped($0) })
        if failure == nil {
            failure = view
            box.append(view.root)
        }
        view.root.isVisible = true
        view.show(message)
    }

    private func made<Part: WidgetHandle>(_ part: Part, keep: (Part) -> Void) -> Part {
        box.append(part)
        keep(part)
        return part
    }
}

/// Why a message was not sent, and another try.
private final class FailureLine {
    let root: Widget
    private let reason = Label().wrapping(maxWidthInCharacters: 40).onOneLineIfItFits().css("failure")
    private var key: MessageItem.Key?

    init(retry: @escaping (MessageItem.Key) async -> Void) {
        let box = Box.row(spacing: 8, reason)
        root = box.align(.end).any
        let button = Button("Try Again") { [self] in if let key { await retry(key) } }
        box.append(button.css("flat", "retry").align(nil, .center))
    }

    func show(_ message: Bubble) {
        key = message.key
        reason.text = message.failure ?? ""
    }
}
