/// A command and what stands beneath it, as one value: parsing and help are functions of it. `Action` is whatever
/// the program runs for a command, mostly a closure that takes `Values`.
public struct Command<Action: Sendable>: Sendable {
    public let name: String
    let summary: String
    let description: String
    let group: String
    let shared: [Definition]
    let parameters: [Definition]
    let subcommands: [Command]
    let examples: [Example]
    let version: String?
    let action: Action?

    /// - Parameters:
    ///   - summary: One line, ending with a full stop.
    ///   - description: Paragraphs for the command's own help.
    ///   - group: The heading that it stands under in its parent's help.
    ///   - shared: Options that count here and for everything beneath.
    ///   - version: Answers `--version`; for the topmost command.
    ///   - action: What it runs; nil when it only holds subcommands.
    public init(
        _ name: String, _ summary: String, description: String = "", group: String = "Commands",
        shared: [any Parameter] = [], parameters: [any Parameter] = [], subcommands: [Command] = [],
        examples: [Example] = [], version: String? = nil, action: Action? = nil
    ) {
        self.name = name
        self.summary = summary
        self.description = description
        self.group = group
        self.shared = shared.map(\.definition)
        self.parameters = parameters.map(\.definition)
        self.subcommands = subcommands
        self.examples = examples
        self.version = version
        self.action = action
    }

    /// Reads a command line, without the program's own name. Prints nothing and ends nothing.
    public func parse(
        _ arguments: [String], environment: [String: String] = [:]
    ) throws(UsageError) -> Invocation<Action> {
        var parser = Parser(root: self, environment: environment)
        return try parser.parse(arguments)
    }
}

public struct Example: Sendable {
    let purpose: String
    let line: String

    public init(_ purpose: String, _ line: String) {
        self.purpose = purpose
        self.line = line
    }
}

/// What a command line asks for.
public enum Invocation<Action: Sendable>: Sendable {
    case run(Action, Values)
    /// Text for standard output: help that was asked for, or the version.
    case print(String)
}

/// The typed values of one command line, read by the `Option` or `Positional` that declared them.
public struct Values: Sendable {
    /// `chatter friend add`.
    public let command: String
    let stored: [String: any Sendable]

    public subscript<Value>(_ option: Option<Value>) -> Value { value(option.definition) }
    public subscript<Value>(_ positional: Positional<Value>) -> Value { value(positional.definition) }

    private func value<Value>(_ definition: Definition) -> Value {
        guard let value = stored[definition.key] as? Value else {
            // Every declared parameter has a value after parsing: the command forgot to list this one.
            preconditionFailure("\(command) does not declare \(definition.label)")
        }
        return value
    }
}

/// A command line that cannot be run, in one line that says what to do. Programs print it to standard error and exit
/// with `exitCode`.
public struct UsageError: Error, Hashable, CustomStringConvertible {
    /// EX_USAGE of sysexits.h.
    public static let exitCode: Int32 = 64

    public let command: String
    public let message: String

    /// For what a command finds out only when it looks at several values together.
    public init(command: String, message: String) {
        self.command = command
        self.message = message
    }

    public var description: String { "\(command): \(message)" }
}
