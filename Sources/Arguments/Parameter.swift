/// What a command takes: an `Option` (by name) or a `Positional` (by place).
public protocol Parameter: Sendable {
    var definition: Definition { get }
}

/// A parameter without its type, for the parser and the help text.
public struct Definition: Sendable {
    public enum Kind: Sendable {
        /// Takes no value.
        case flag
        case option
        case positional
    }

    let kind: Kind
    /// Without dashes; a positional's is its placeholder.
    let name: String
    var short: Character?
    var placeholder = ""
    let summary: String
    var environment: String?
    /// As typed; nil when there is none, or none worth showing.
    var defaultText: String?
    /// How many a person must give.
    var minimum = 0
    var repeats = false
    /// From the texts given (none: the default) to the typed value.
    let convert: @Sendable ([String]) throws(ConversionFailure) -> any Sendable

    /// `--name` or `NAME`, for errors.
    var label: String { kind == .positional ? name : "--\(name)" }
    /// Options and positionals live in one dictionary of values.
    var key: String { label }
}

struct ConversionFailure: Error {
    let text: String
    let expected: String
}

/// A flag (`Option<Bool>`), an option with a default (`Option<Int>`), one that may be missing (`Option<Int?>`) or one
/// that may be repeated (`Option<[Int]>`). A value comes from the command line, else from the environment variable,
/// else from the default; given twice, the last one counts unless it repeats.
public struct Option<Value: Sendable>: Parameter {
    public let definition: Definition

    /// `--json`. The variable's `1`, `true`, `yes` and `on` mean true; `0`, `false`, `no`, `off` and nothing, false.
    public init(_ name: String, short: Character? = nil, environment: String? = nil, _ summary: String)
    where Value == Bool {
        definition = Definition(
            kind: .flag, name: name, short: short, summary: summary, environment: environment
        ) { (texts: [String]) throws(ConversionFailure) in try readSwitch(texts.last ?? "") }
    }

    /// `--limit N`, with a default.
    public init(
        _ name: String, short: Character? = nil, _ placeholder: String, default value: Value,
        environment: String? = nil, _ summary: String
    ) where Value: ArgumentValue {
        definition = Definition(
            kind: .option, name: name, short: short, placeholder: placeholder, summary: summary,
            environment: environment, defaultText: value.argument
        ) { (texts: [String]) throws(ConversionFailure) in
            try texts.last.map { text throws(ConversionFailure) in try read(text, as: Value.self) } ?? value
        }
    }

    /// `--before TIME`, nil when it is not given.
    public init<Wrapped: ArgumentValue>(
        _ name: String, short: Character? = nil, _ placeholder: String, environment: String? = nil,
        _ summary: String
    ) where Value == Wrapped? {
        definition = Definition(
            kind: .option, name: name, short: short, placeholder: placeholder, summary: summary,
            environment: environment
        ) { (texts: [String]) throws(ConversionFailure) in
            try texts.last.map { text throws(ConversionFailure) in try read(text, as: Wrapped.self) }
        }
    }

    /// `--tag A --tag B`, in order. A variable gives one.
    public init<Element: ArgumentValue>(
        _ name: String, short: Character? = nil, _ placeholder: String, environment: String? = nil,
        _ summary: String
    ) where Value == [Element] {
        definition = Definition(
            kind: .option, name: name, short: short, placeholder: placeholder, summary: summary,
            environment: environment, repeats: true
        ) { (texts: [String]) throws(ConversionFailure) in try readAll(texts, as: Element.self) }
    }
}

/// An argument by its place: one that must be there (`Positional<String>`), may be (`Positional<String?>`), or all
/// that are left (`Positional<[String]>`, which comes last).
public struct Positional<Value: Sendable>: Parameter {
    public let definition: Definition

    public init(_ name: String, _ summary: String) where Value: ArgumentValue {
        definition = Definition(kind: .positional, name: name, summary: summary, minimum: 1) {
            (texts: [String]) throws(ConversionFailure) in try read(texts.last ?? "", as: Value.self)
        }
    }

    public init<Wrapped: ArgumentValue>(_ name: String, _ summary: String) where Value == Wrapped? {
        definition = Definition(kind: .positional, name: name, summary: summary) {
            (texts: [String]) throws(ConversionFailure) in
            try texts.last.map { text throws(ConversionFailure) in try read(text, as: Wrapped.self) }
        }
    }

    public init<Element: ArgumentValue>(_ name: String, minimum: Int = 0, _ summary: String)
    where Value == [Element] {
        definition = Definition(
            kind: .positional, name: name, summary: summary, minimum: minimum, repeats: true
        ) { (texts: [String]) throws(ConversionFailure) in try readAll(texts, as: Element.self) }
    }
}

private func read<Value: ArgumentValue>(_ text: String, as: Value.Type) throws(ConversionFailure) -> Value {
    guard let value = Value(argument: text) else {
        throw ConversionFailure(text: text, expected: Value.expected)
    }
    return value
}

private func readAll<Value: ArgumentValue>(
    _ texts: [String], as type: Value.Type
) throws(ConversionFailure) -> [Value] {
    var values: [Value] = []
    for text in texts { values.append(try read(text, as: type)) }
    return values
}

private func readSwitch(_ text: String) throws(ConversionFailure) -> Bool {
    switch text.lowercased() {
    case "1", "true", "yes", "on": true
    case "", "0", "false", "no", "off": false
    default: throw ConversionFailure(text: text, expected: "1 or 0")
    }
}
