import ChatterClient
import ChatterViewModels

/// A message's text with its time, and on one's own the tick, in the text's last line.
final class BubbleView {
    private let bubble: Overlay
    private let text = Label().wrapping(maxWidthInCharacters: 46).leading().css("text")
    private let meta = Box.row(spacing: 4)
    private let time = Label().css("time")
    /// Made with the first message of one's own.
    private var tick: Image?
    private var shown: Bubble?
    /// No address: the link to the rest of a message.
    private static let more = "more"

    var root: Widget { bubble.any }

    init(readMore: @escaping (MessageItem.Key) -> Void) {
        meta.append(time)
        bubble = Overlay(text, over: meta.align(nil, .end).css("meta")).css("bubble")
        text.onLink { [self] link in
            guard link == Self.more, let shown else { return false }
            readMore(shown.key)
            return true
        }
    }

    func show(_ message: Bubble) {
        show(text: message)
        time.text = message.time
        show(tick: message.tick)
        bubble.toggle("mine", message.isMine)
        bubble.toggle("theirs", !message.isMine)
        bubble.toggle("deleted", message.isDeleted)
        bubble.toggle("tail", message.isLastOfGroup)
        bubble.toggle("emoji", message.isEmojiOnly)
        bubble.align(message.isMine ? .end : .start)
        shown = message
    }

    private func show(tick new: Tick?) {
        guard tick != nil || new != nil else { return }
        let image = tick ?? Image(icon: "tick-sent-symbolic").css("tick")
        if tick == nil {
            tick = image
            meta.append(image)
        }
        image.show(new)
    }

    /// A tick that comes alone leaves the text as it is.
    private func show(text message: Bubble) {
        let room = Self.room(for: message)
        if let shown, shown.text == message.text, shown.isDeleted == message.isDeleted,
            shown.isShortened == message.isShortened, Self.room(for: shown) == room
        {
            return
        }
        let pieces = message.pieces
        if message.isEmojiOnly {
            text.show(markup: "<span size=\"280%\">\(Markup.escaped(message.text))</span>\(room)")
        } else if case .plain(let plain)? = pieces.first, pieces.count == 1, !message.isShortened {
            text.text = plain + room
        } else {
            let more = message.isShortened ? "\n<a href=\"\(Self.more)\">Read more</a>" : ""
            text.show(markup: pieces.map(Self.markup).joined() + more + room)
        }
        // The last line of a text that runs against the page ends at the other side, and so does its room.
        let app: TextDirection = Appearance.isRightToLeft ? .rightToLeft : .leftToRight
        let isTurned = !message.isShortened && message.endDirection.map { $0 != app } ?? false
        meta.align(isTurned ? .start : .end)
    }

    private static func markup(_ piece: TextPiece) -> String {
        switch piece {
        case .plain(let text): return Markup.escaped(text)
        case .link(let address):
            let escaped = Markup.escaped(address)
            return "<a href=\"\(escaped)\">\(escaped)</a>"
        }
    }

    /// Figure spaces, which do not break, keep the last line clear of time and tick; their letters are smaller.
    private static func room(for message: Bubble) -> String {
        let spaces = Double(message.time.count) * 0.8 + (message.tick == nil ? 1 : 4)
        return String(repeating: "\u{2007}", count: Int(spaces.rounded(.up)))
    }
}
