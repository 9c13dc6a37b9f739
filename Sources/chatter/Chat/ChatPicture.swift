import ChatterClient
import ChatterModel

/// Draws a `ChatScreen` as a `Frame`: header, banners, messages, a rule or notice, the line being written.
enum ChatPicture {
    static func frame(_ screen: ChatScreen, _ size: Frame.Size, _ time: TimeText) -> Frame {
        let banners = banners(screen, size).map {
            fit([Frame.Span(" " + $0, .banner)], size.columns, .banner)
        }
        let input = input(screen.editor, width: size.columns)
        let body = body(screen, size, time)
        let lines =
            [header(screen, size.columns, time)] + banners + body + rule(screen, size) + [
                input.line
            ]
        return Frame(
            lines: Array(lines.prefix(size.rows)), cursorRow: min(lines.count, size.rows) - 1,
            cursorColumn: input.cursor)
    }

    /// How many rows the messages have.
    static func messageRows(_ screen: ChatScreen, _ size: Frame.Size) -> Int {
        max(1, size.rows - 2 - banners(screen, size).count - rule(screen, size).count)
    }

    /// The lines around what is in sight. A message has at least one line, so a few windows' worth of messages on each
    /// side hold every place that one key can scroll to; a long chat is not laid out for each keystroke.
    static func messageLines(_ screen: ChatScreen, _ size: Frame.Size, _ time: TimeText) -> [MessageLine] {
        guard let content = screen.content else { return [] }
        let reach = 3 * size.rows
        let bottom = screen.anchor.flatMap { anchor in content.items.lastIndex { $0.id == anchor.message } }
        let first = max(0, (bottom ?? content.items.count) - reach)
        let end = min(content.items.count, (bottom ?? content.items.count) + reach)
        return MessageLines(width: size.columns - 2, time: time, hasColours: screen.hasColours).lines(
            content, in: first..<end, firstUnread: screen.firstUnread)
    }

    private static func body(_ screen: ChatScreen, _ size: Frame.Size, _ time: TimeText) -> [Frame.Line] {
        let height = messageRows(screen, size)
        if let panel = screen.panel {
            let lines = panel.split(separator: "\n", omittingEmptySubsequences: false).suffix(height).map {
                [Frame.Span(" " + TextWidth.shortened(String($0), to: size.columns - 2))]
            }
            return lines + blank(height - lines.count)
        }
        let lines = messageLines(screen, size, time)
        let bottom = ChatScreen.bottom(of: lines, anchor: screen.anchor)
        let visible = lines[..<bottom].suffix(height).map { [Frame.Span(" ")] + $0.line }
        return blank(height - visible.count) + visible
    }

    private static func blank(_ count: Int) -> [Frame.Line] {
        Array(repeating: [], count: max(0, count))
    }

    private static func header(_ screen: ChatScreen, _ width: Int, _ time: TimeText) -> Frame.Line {
        let content = screen.content?.header
        let state = content.flatMap { self.state($0, screen, time) }.map { " · \($0)" } ?? ""
        let news = screen.unreadElsewhere > 0 ? "\(screen.unreadElsewhere) new elsewhere " : ""
        let room = width - TextWidth.columns(of: news)
        var text = " \(content?.peer.map(Words.fullName) ?? Printable.line(content?.title ?? ""))\(state)"
        if TextWidth.columns(of: text) > room, let peer = content?.peer {
            text = " \(Words.name(of: peer))\(state)"
        }
        guard room > 12 else { return fit([Frame.Span(text, .header)], width, .header) }
        let left = TextWidth.padded(TextWidth.shortened(text, to: room), to: room)
        return [Frame.Span(left + news, .header)]
    }

    private static func state(
        _ header: ConversationContent.Header, _ screen: ChatScreen, _ time: TimeText
    ) -> String? {
        if !header.typing.isEmpty { return "typing…" }
        // Without a connection somebody's "online" would be a guess.
        if header.presence?.online == true, screen.connection != .online { return nil }
        return time.presence(header.presence)
    }

    private static func banners(_ screen: ChatScreen, _ size: Frame.Size) -> [String] {
        var banners: [String] = []
        switch screen.connection {
        case .online: break
        case .syncing: banners.append("Fetching what you missed…")
        case .connecting: banners.append("Connecting…")
        case .offline: banners.append("Offline: what you write is sent later.")
        }
        if let request = screen.requests.first(where: { $0.direction == .incoming }) {
            let name = request.user.username ?? Words.name(of: request.user)
            banners.append("\(Words.fullName(of: request.user)) wants to be your friend: /accept \(name)")
        }
        switch screen.content?.header.composer {
        case .peerDeleted: banners.append("This account no longer exists.")
        case .notFriends: banners.append("You are not friends. /add asks again.")
        case .blocked: banners.append("You have blocked this person.")
        case .gone: banners.append("You are no longer in this chat.")
        case .open, nil: break
        }
        return banners.flatMap { wrapped($0, size) }
    }

    /// What does not fit in one line takes up to three, where the window has them to spare.
    private static func wrapped(_ text: String, _ size: Frame.Size) -> [String] {
        guard size.rows >= 10, size.columns >= 20 else { return [text] }
        let lines = Wrapping.lines(text, width: size.columns - 2)
        return lines.count <= 3 ? lines : lines.prefix(2) + [lines[2...].joined(separator: " ")]
    }

    private static func rule(_ screen: ChatScreen, _ size: Frame.Size) -> [Frame.Line] {
        let width = size.columns
        if let notice = screen.notice {
            return wrapped(notice.text, size).map {
                fit([Frame.Span(" " + $0, notice.isError ? .error : .bold)], width, .plain)
            }
        }
        let label = screen.anchor == nil ? "" : "── PageDown for newer messages "
        let rest = max(0, width - TextWidth.columns(of: label))
        let text = TextWidth.shortened(label, to: width) + String(repeating: "─", count: rest)
        return [[Frame.Span(text, .divider)]]
    }

    private static func input(_ editor: LineEditor, width: Int) -> (line: Frame.Line, cursor: Int) {
        let prompt = "> "
        let room = max(1, width - prompt.count - 1)
        // The text slides under the window so that the cursor is always in it.
        let (before, used) = TextWidth.end(
            of: Printable.text(String(editor.beforeCursor)).replacing("\n", with: "⏎"), in: room)
        let after = Printable.text(String(editor.afterCursor)).replacing("\n", with: "⏎")
        var visible = String(before)
        var left = room - used
        for character in after {
            left -= TextWidth.columns(of: character)
            guard left >= 0 else { break }
            visible.append(character)
        }
        if editor.text.isEmpty {
            let hint = TextWidth.shortened("Write a message, or /help", to: room)
            return ([Frame.Span(prompt, .bold), Frame.Span(hint, .dim)], prompt.count)
        }
        return ([Frame.Span(prompt, .bold), Frame.Span(visible)], prompt.count + used)
    }

    /// Shortens or fills a line of one span to the width.
    private static func fit(_ line: Frame.Line, _ width: Int, _ style: Frame.Style) -> Frame.Line {
        let text = line.map(\.text).joined()
        return [
            Frame.Span(
                TextWidth.padded(TextWidth.shortened(text, to: width), to: width), line.first?.style ?? style)
        ]
    }
}
