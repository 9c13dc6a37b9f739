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

    static let helpText = """
        Enter            send            Alt-Enter        new line
        PageUp           older messages  PageDown         newer messages
        /chats           your chats      /chat NAME       open another chat
        /add NAME        ask for friendship
        /accept NAME     accept a request
        /decline NAME    decline a request
        /retry           send failed messages again
        /discard         give failed messages up
        /delete          delete your newest message for everyone
        /delete me       delete it for yourself only
        /quit            leave (also Ctrl-C)
        //text           send a text that starts with /
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
