/// What a line typed in the chat means. `//` at the start sends a text that begins with a slash.
enum SlashCommand: Equatable, Sendable {
    case send(String)
    case help
    case quit
    case chats
    case open(String)
    case add(String)
    case accept(String)
    case decline(String)
    case retry
    case discard
    case delete(everyone: Bool)
    case unknown(String)
    /// A command that needs a name and has none.
    case nameless(String)

    init(_ line: String) {
        guard line.hasPrefix("/"), !line.hasPrefix("//") else {
            self = .send(line.hasPrefix("//") ? String(line.dropFirst()) : line)
            return
        }
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        let name = words.count > 1 ? words[1].trimmingSpaces() : ""
        self =
            switch words[0] {
            case "/help": .help
            case "/quit", "/q": .quit
            case "/chats": .chats
            case "/retry": .retry
            case "/discard": .discard
            case "/delete": .delete(everyone: name != "me")
            case "/chat" where !name.isEmpty: .open(name)
            case "/add" where !name.isEmpty: .add(name)
            case "/accept" where !name.isEmpty: .accept(name)
            case "/decline" where !name.isEmpty: .decline(name)
            case "/chat", "/add", "/accept", "/decline": .nameless(words[0])
            default: .unknown(words[0])
            }
    }

    /// Narrow and short enough for the smallest windows.
    static let helpText = """
        Enter sends, Alt-Enter: new line
        PageUp older, PageDown newer
        /chats         list your chats
        /chat NAME     open another one
        /add NAME      ask to be friends
        /accept NAME   or /decline NAME
        /retry         send failed ones again
        /discard       give failed ones up
        /delete        take your last one back
        /delete me     hide it from yourself
        /quit          leave, or Ctrl-C
        //text         send a /text
        """
}

extension String {
    func trimmingSpaces() -> String {
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest = rest.dropFirst() }
        while rest.last?.isWhitespace == true { rest = rest.dropLast() }
        return String(rest)
    }
}
