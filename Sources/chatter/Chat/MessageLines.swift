import ChatterClient
import ChatterModel

/// A line of the message list and whom it belongs to, so that scrolling can hold on to a message while others come.
struct MessageLine: Equatable, Sendable {
    struct Position: Equatable, Sendable {
        var message: MessageItem.Key
        /// Within the message's lines.
        var offset: Int
    }

    /// nil for day lines and other dividers.
    var position: Position?
    var line: Frame.Line
}

/// Turns a conversation into lines: own messages on the right with ticks, days and news divided.
struct MessageLines: Sendable {
    let width: Int
    let time: TimeText
    var hasColours = true

    /// - Parameters:
    ///   - range: Which of the content's items.
    ///   - firstUnread: The message above which the line "new" stands.
    func lines(
        _ content: ConversationContent, in range: Range<Int>, firstUnread: MessageItem.Key?
    ) -> [MessageLine] {
        var lines: [MessageLine] = []
        if range.lowerBound == 0 {
            lines.append(
                divider(content.hasOlder ? "PageUp for older messages" : "The beginning of this chat"))
        }
        var previous = range.lowerBound > 0 ? content.items[range.lowerBound - 1] : nil
        for item in content.items[range] {
            if previous.map({ !time.isSameDay($0.createdAt, item.createdAt) }) ?? true {
                lines.append(divider(time.day(item.createdAt)))
            }
            if let hole = hole(between: previous, and: item, content.holes) { lines.append(hole) }
            if item.id == firstUnread { lines.append(divider("New", .bold)) }
            lines += message(item)
            previous = item
        }
        return lines
    }

    private func divider(_ text: String, _ style: Frame.Style = .divider) -> MessageLine {
        let label = TextWidth.shortened(" \(text) ", to: width)
        let dashes = max(0, min(width - TextWidth.columns(of: label), 20)) / 2
        let rule = String(repeating: "─", count: dashes)
        let line = rule + label + rule
        let indent = String(repeating: " ", count: max(0, (width - TextWidth.columns(of: line)) / 2))
        return MessageLine(position: nil, line: [Frame.Span(indent + line, style)])
    }

    private func hole(
        between previous: MessageItem?, and item: MessageItem, _ holes: [SeqRange]
    ) -> MessageLine? {
        guard let above = previous?.seq, let below = item.seq else { return nil }
        let missing = holes.filter { $0.from > above && $0.to < below }.reduce(0) { $0 + $1.to - $1.from + 1 }
        return missing > 0 ? divider("fetching \(Words.count(Int(missing), "missing message"))") : nil
    }

    private func message(_ item: MessageItem) -> [MessageLine] {
        let placeholder = PlainMessage.placeholder(item)
        let room = max(4, width * 3 / 4)
        let body = Wrapping.lines(placeholder ?? Printable.text(item.body), width: room)
        let style: Frame.Style = placeholder != nil ? .dim : item.isMine ? .mine : .plain
        let block = block(body, trailer: trailer(item), style: style, room: room)
        let lines = block + reason(item)
        let blockWidth = lines.map(columns).max() ?? 0
        return lines.enumerated().map { offset, line in
            let indent = item.isMine ? width - blockWidth : 0
            let margin = Frame.Span(String(repeating: " ", count: max(0, indent)))
            return MessageLine(
                position: MessageLine.Position(message: item.id, offset: offset), line: [margin] + line)
        }
    }

    /// The trailer stands behind the last line when it fits there.
    private func block(
        _ body: [String], trailer: Frame.Line, style: Frame.Style, room: Int
    ) -> [Frame.Line] {
        var lines: [Frame.Line] = body.map { [Frame.Span($0, style)] }
        let trailerWidth = columns(trailer)
        let lastWidth = lines.last.map(columns) ?? 0
        let widest = lines.map(columns).max() ?? 0
        if lastWidth + 2 + trailerWidth <= max(room, widest), !lines.isEmpty {
            let gap = max(2, widest - lastWidth - trailerWidth)
            lines[lines.count - 1] += [Frame.Span(String(repeating: " ", count: gap))] + trailer
        } else {
            let gap = max(0, widest - trailerWidth)
            lines.append([Frame.Span(String(repeating: " ", count: gap))] + trailer)
        }
        return lines
    }

    private func trailer(_ item: MessageItem) -> Frame.Line {
        let clock = Frame.Span(time.clock(item.createdAt), .dim)
        guard let status = item.status, !item.isDeleted else { return [clock] }
        let style: Frame.Style =
            switch status {
            case .read: .read
            case .failed: .error
            case .pending, .sent, .delivered: .dim
            }
        return [clock, Frame.Span(" " + Ticks.mark(status, hasColours: hasColours), style)]
    }

    private func reason(_ item: MessageItem) -> [Frame.Line] {
        guard case .failed(let reason) = item.status else { return [] }
        return Wrapping.lines(RefusalLabel.text(reason) + " /retry or /discard", width: max(4, width * 3 / 4))
            .map { [Frame.Span($0, .error)] }
    }

    private func columns(_ line: Frame.Line) -> Int {
        line.reduce(0) { $0 + TextWidth.columns(of: $1.text) }
    }
}
