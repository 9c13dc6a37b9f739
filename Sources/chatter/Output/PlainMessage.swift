import ChatterClient
import ChatterModel

/// A message as a line of text.
enum PlainMessage {
    /// What stands in its place when it was deleted or is of a kind this version does not know.
    static func body(_ item: MessageItem) -> String {
        if let placeholder = placeholder(item) { return placeholder }
        return Printable.line(item.body)
    }

    static func placeholder(_ item: MessageItem) -> String? {
        if item.isDeleted { return item.isMine ? "You deleted this message" : "This message was deleted" }
        if item.type == .text || item.type == .system { return nil }
        return "Not supported by this version"
    }

    /// `#12  14:03  Bob: hello`; one's own with ticks.
    static func line(_ item: MessageItem, time: TimeText) -> String {
        let number = item.seq.map { "#\($0)" } ?? "  "
        let who = item.isMine ? "me" : item.sender.map(Words.name) ?? "?"
        let mark = item.isDeleted ? "" : item.status.map { "  " + Ticks.mark($0) } ?? ""
        let body = placeholder(item).map { "(\($0))" } ?? Printable.text(item.body)
        return "\(number)  \(time.clock(item.createdAt))  \(who): \(body)\(mark)\(reason(item))"
    }

    static func reason(_ item: MessageItem) -> String {
        guard case .failed(let reason) = item.status else { return "" }
        return " \(RefusalLabel.text(reason))"
    }
}
