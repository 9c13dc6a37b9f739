import ChatterClient
import ChatterModel

/// The chat as a person sees and works it: what came in, what is typed, where it is scrolled. Pure: keys and news go
/// in, actions for the client come out, and `ChatPicture` draws it.
struct ChatScreen: Equatable, Sendable {
    enum Action: Equatable, Sendable {
        case command(SlashCommand)
        case loadOlder
        case typing(Bool)
        case draft(String)
    }

    struct Notice: Equatable, Sendable {
        var text: String
        var isError = false
    }

    var content: ConversationContent?
    var connection: ConnectionState = .connecting
    var editor = LineEditor()
    var notice: Notice?
    /// Covers the messages until the next key: help, the chats list.
    var panel: String?
    var requests: [RequestItem] = []
    var unreadElsewhere = 0
    /// Where the line "New" stands: set when the chat is opened, so that it does not run away while reading. Whoever
    /// answers is done with it.
    private(set) var firstUnread: MessageItem.Key?
    /// The bottom line on screen; nil follows the newest message.
    private(set) var anchor: MessageLine.Position?
    private var isLoadingOlder = false

    /// Whether the terminal shows any.
    let hasColours: Bool

    init(draft: String = "", hasColours: Bool = true) {
        editor = LineEditor(draft)
        self.hasColours = hasColours
    }

    /// The newest messages are in sight: not scrolled away, nothing over them.
    var showsNewest: Bool { content != nil && anchor == nil && panel == nil }

    mutating func show(_ new: ConversationContent) {
        if content == nil {
            firstUnread = new.firstUnread
        }
        if let anchor, !new.items.contains(where: { $0.id == anchor.message }) { self.anchor = nil }
        content = new
        isLoadingOlder = false
    }

    mutating func olderFailed(_ reason: String) {
        isLoadingOlder = false
        notice = Notice(text: reason, isError: true)
    }

    mutating func handle(_ key: Key, size: Frame.Size, time: TimeText) -> [Action] {
        notice = nil
        if panel != nil {
            panel = nil
            if key == .enter || key == .escape { return [] }
        }
        switch key {
        case .up: return scroll(by: -1, size, time)
        case .down: return scroll(by: 1, size, time)
        case .pageUp: return scroll(by: -page(size), size, time)
        case .pageDown: return scroll(by: page(size), size, time)
        case .enter: return enter()
        case .interrupt: return [.command(.quit)]
        case .endOfInput where editor.text.isEmpty: return [.command(.quit)]
        case .escape, .redraw, .endOfInput: return []
        default: return edit(key)
        }
    }

    private mutating func edit(_ key: Key) -> [Action] {
        let before = editor.text
        switch key {
        case .text(let text): editor.insert(text)
        case .newline: editor.insert("\n")
        case .backspace: editor.deleteBackward()
        case .delete: editor.deleteForward()
        case .deleteWord: editor.deleteWord()
        case .deleteToStart: editor.deleteToStart()
        case .deleteToEnd: editor.deleteToEnd()
        case .left: editor.moveLeft()
        case .right: editor.moveRight()
        case .home: editor.moveToStart()
        case .end: editor.moveToEnd()
        default: break
        }
        guard editor.text != before else { return [] }
        return [.typing(isWriting), .draft(editor.text)]
    }

    /// Writing a message, not a command.
    private var isWriting: Bool {
        let text = editor.text
        return !text.isEmpty && (!text.hasPrefix("/") || text.hasPrefix("//"))
    }

    private mutating func enter() -> [Action] {
        let line = editor.text
        guard !line.trimmingSpaces().isEmpty else { return [] }
        let command = SlashCommand(line)
        switch command {
        case .unknown(let name):
            notice = Notice(text: "There is no \(name); /help lists what there is.", isError: true)
            return []
        case .nameless(let name):
            notice = Notice(text: "Say whom: \(name) NAME", isError: true)
            return []
        case .help: panel = SlashCommand.helpText
        case .send: (anchor, firstUnread) = (nil, nil)
        default: break
        }
        editor = LineEditor()
        // A message takes its draft's place by itself, and only once it is stored.
        if case .send = command { return [.command(command), .typing(false)] }
        return [.command(command), .typing(false), .draft("")]
    }

    /// The text could not be stored as a message: it stands in the line again, as it was typed.
    mutating func notSent(_ text: String, _ reason: String) -> [Action] {
        let line = text.hasPrefix("/") ? "/" + text : text
        editor = LineEditor(editor.text.isEmpty ? line : line + "\n" + editor.text)
        notice = Notice(text: reason, isError: true)
        return [.draft(editor.text)]
    }

    private func page(_ size: Frame.Size) -> Int { max(1, ChatPicture.messageRows(self, size) - 1) }

    private mutating func scroll(by lines: Int, _ size: Frame.Size, _ time: TimeText) -> [Action] {
        guard let content else { return [] }
        let all = ChatPicture.messageLines(self, size, time)
        let height = ChatPicture.messageRows(self, size)
        let bottom = Self.bottom(of: all, anchor: anchor)
        let target = min(max(bottom + lines, min(height, all.count)), all.count)
        anchor = target == all.count ? nil : Self.position(atOrAbove: target - 1, in: all)
        guard target <= height, lines < 0, content.hasOlder, !isLoadingOlder else { return [] }
        isLoadingOlder = true
        return [.loadOlder]
    }

    /// How many lines stand at or above the bottom of the view.
    static func bottom(of lines: [MessageLine], anchor: MessageLine.Position?) -> Int {
        guard let anchor else { return lines.count }
        // After a resize the message may have fewer lines.
        let index = lines.lastIndex { line in
            line.position?.message == anchor.message && line.position?.offset ?? 0 <= anchor.offset
        }
        return index.map { $0 + 1 } ?? lines.count
    }

    private static func position(atOrAbove index: Int, in lines: [MessageLine]) -> MessageLine.Position? {
        lines[...index].last { $0.position != nil }?.position
            ?? lines[index...].first { $0.position != nil }?.position
    }
}
