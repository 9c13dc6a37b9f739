/// GNU order: options may stand before, between and after the arguments, until `--`. The parent's shared options are
/// known on both sides of the subcommand's name.
struct Parser<Action: Sendable> {
    private let root: Command<Action>
    private let environment: [String: String]
    private var command: Command<Action>
    private var path: [String]
    private var shared: [Definition]
    private var given: [String: [String]] = [:]
    private var positionals: [String] = []

    init(root: Command<Action>, environment: [String: String]) {
        self.root = root
        self.environment = environment
        command = root
        path = [root.name]
        shared = root.shared
    }

    mutating func parse(_ arguments: [String]) throws(UsageError) -> Invocation<Action> {
        if arguments.first == "help", !root.subcommands.isEmpty {
            for name in arguments.dropFirst() { try descend(to: name) }
            return .print(help)
        }
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--":
                for text in rest { try take(text) }
                rest = []
            case "--help", "-h":
                return .print(help)
            case "--version" where command.version != nil:
                return .print("\(root.name) \(command.version ?? "")\n")
            case _ where argument.hasPrefix("--"):
                try takeLong(argument.dropFirst(2), &rest)
            case _ where argument.hasPrefix("-") && argument != "-":
                try takeShort(argument.dropFirst(), &rest)
            default:
                try take(argument)
            }
        }
        return try finish()
    }

    private var options: [Definition] {
        command.parameters.filter { $0.kind != .positional } + shared
    }

    private var help: String { HelpText(command: command, path: path, shared: shared).text }

    private func failure(_ message: String) -> UsageError {
        UsageError(command: path.joined(separator: " "), message: message)
    }

    private mutating func take(_ text: String) throws(UsageError) {
        if positionals.isEmpty, !command.subcommands.isEmpty,
            !command.parameters.contains(where: { $0.kind == .positional })
        {
            try descend(to: text)
        } else {
            positionals.append(text)
        }
    }

    private mutating func descend(to name: String) throws(UsageError) {
        guard let next = command.subcommands.first(where: { $0.name == name }) else {
            let names = command.subcommands.map(\.name)
            let hint = suggestion(for: name, among: names).map { "Did you mean \($0)? " } ?? ""
            throw failure(
                "there is no command \(quoted(name)). \(hint)See '\(path.joined(separator: " ")) --help'.")
        }
        if let own = given.keys.first(where: { key in !shared.contains { $0.key == key } }) {
            throw failure("\(own) does not go with '\(name)'. See '\(path[0]) \(name) --help'.")
        }
        command = next
        path.append(name)
        shared += next.shared
    }

    private mutating func takeLong(
        _ argument: Substring, _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let option = options.first(where: { $0.name == parts[0] }) else {
            throw unknown("--\(parts[0])")
        }
        let attached = parts.count == 2 ? String(parts[1]) : nil
        guard option.kind == .flag else {
            let value = if let attached { attached } else { try next(&rest, for: option) }
            given[option.key, default: []].append(value)
            return
        }
        guard attached == nil else {
            throw failure("--\(option.name) takes no value: write --\(option.name) alone.")
        }
        given[option.key] = ["1"]
    }

    /// `-j`, `-jq`, `-p 8080`, `-p8080`.
    private mutating func takeShort(
        _ cluster: Substring, _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        var letters = cluster
        while let letter = letters.popFirst() {
            guard let option = options.first(where: { $0.short == letter }) else {
                throw unknown("-\(letter)")
            }
            if option.kind == .flag {
                given[option.key] = ["1"]
                continue
            }
            let value = letters.isEmpty ? try next(&rest, for: option) : String(letters)
            given[option.key, default: []].append(value)
            return
        }
    }

    private func next(
        _ rest: inout ArraySlice<String>, for option: Definition
    ) throws(UsageError) -> String {
        // A flag in its place is a forgotten value more often than a value; `--flag=-x` says otherwise.
        guard let value = rest.first, value == "-" || !value.hasPrefix("-") else {
            throw failure("--\(option.name) needs a value: --\(option.name)=\(option.placeholder).")
        }
        rest.removeFirst()
        return value
    }

    private func unknown(_ flag: String) -> UsageError {
        let hint =
            suggestion(for: flag, among: options.map { "--\($0.name)" }).map { "Did you mean \($0)?" }
            ?? "Put -- before text that starts with a dash."
        return failure(
            "there is no flag \(quoted(flag)). \(hint) See '\(path.joined(separator: " ")) --help'.")
    }

    private mutating func finish() throws(UsageError) -> Invocation<Action> {
        guard let action = command.action else {
            let names = command.subcommands.map(\.name).joined(separator: ", ")
            throw failure("say which command: \(names). See '\(path.joined(separator: " ")) --help'.")
        }
        try place()
        var stored: [String: any Sendable] = [:]
        for definition in command.parameters + shared { stored[definition.key] = try value(of: definition) }
        return .run(action, Values(command: path.joined(separator: " "), stored: stored))
    }

    /// Hands the arguments out to the declared places, in order.
    private mutating func place() throws(UsageError) {
        var rest = positionals[...]
        for definition in command.parameters where definition.kind == .positional {
            let texts = definition.repeats ? Array(rest) : Array(rest.prefix(1))
            guard texts.count >= definition.minimum else {
                let usage = HelpText(command: command, path: path, shared: shared).usage
                throw failure("\(definition.name) is missing. Usage: \(usage)")
            }
            rest = rest.dropFirst(texts.count)
            if !texts.isEmpty { given[definition.key] = texts }
        }
        if let extra = rest.first {
            throw failure(
                "\(quoted(extra)) is one argument too many. See '\(path.joined(separator: " ")) --help'.")
        }
    }

    private func value(of definition: Definition) throws(UsageError) -> any Sendable {
        let texts = given[definition.key]
        let variable = definition.environment.flatMap { name in environment[name].map { (name, $0) } }
        do {
            if let texts { return try definition.convert(texts) }
            // An empty variable is an unset one, as everywhere in POSIX tools.
            if let variable, !variable.1.isEmpty { return try definition.convert([variable.1]) }
            return try definition.convert([])
        } catch {
            let label = texts == nil ? variable.map { "the variable \($0.0)" } : nil
            throw failure("\(label ?? definition.label) needs \(error.expected), not \(quoted(error.text)).")
        }
    }
}
