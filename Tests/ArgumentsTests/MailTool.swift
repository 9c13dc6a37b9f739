import Arguments

/// A small program to parse for: options of each kind, arguments of each kind, commands beneath commands.
enum MailTool {
    enum Action: Hashable { case serve, send, list, read }

    enum Order: String, ArgumentValue, CaseIterable { case newest, oldest }

    static let home = Option<String>(
        "home", "DIR", default: "mail", environment: "MAIL_HOME", "Where letters lie.")
    static let json = Option<Bool>("json", short: "j", environment: "MAIL_JSON", "Print JSON.")
    static let port = Option<UInt16>(
        "port", short: "p", "PORT", default: 25, environment: "MAIL_PORT", "Where to listen.")
    static let wait = Option<Duration?>("wait", "TIME", "How long to wait for an answer.")
    static let copies = Option<[String]>("copy", short: "c", "NAME", "Who else gets it.")
    static let order = Option<Order>("order", "ORDER", default: .newest, "Which comes first.")
    static let name = Positional<String>("NAME", "Who gets the letter.")
    static let words = Positional<[String]>("TEXT", minimum: 1, "What it says.")
    static let box = Positional<String?>("BOX", "Which box.")

    static let root = Command<Action>(
        "mail", "Sends letters.", shared: [home, json], parameters: [port],
        subcommands: [
            Command(
                "send", "Send a letter.", description: "It goes by the next coach.\n\nOr by ship.",
                parameters: [wait, copies, name, words],
                examples: [Example("Greet Ada", "mail send ada hello")], action: .send),
            Command(
                "box", "Look after boxes.", group: "Keeping",
                subcommands: [
                    Command("list", "List a box.", parameters: [order, box], action: .list),
                    Command("read", "Read a letter.", action: .read),
                ]),
        ],
        version: "1.2", action: .serve)

    static func run(
        _ arguments: [String], _ environment: [String: String] = [:]
    ) throws(UsageError) -> (action: Action, values: Values)? {
        guard case .run(let action, let values) = try root.parse(arguments, environment: environment) else {
            return nil
        }
        return (action, values)
    }

    static func text(_ arguments: String...) throws(UsageError) -> String? {
        guard case .print(let text) = try root.parse(arguments) else { return nil }
        return text
    }

    static func refusal(
        _ arguments: [String], _ environment: [String: String] = [:]
    ) -> String? {
        do {
            _ = try root.parse(arguments, environment: environment)
            return nil
        } catch {
            return error.description
        }
    }
}
