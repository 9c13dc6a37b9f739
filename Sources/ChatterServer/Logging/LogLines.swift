import ChatterModel
import Foundation
import SQLite

/// Log entries as lines: text for people, or one JSON object a line for machines.
public struct LogLines: Sendable {
    private let format: Log.Format
    private let clock: any ServerClock

    public init(format: Log.Format, clock: any ServerClock) {
        self.format = format
        self.clock = clock
    }

    /// One line, without its end.
    public func line(_ entry: Log.Entry) -> String {
        render(entry.level, entry.event, entry.fields.map { ($0.0, value($0.1)) })
    }

    /// The log sender's line: the one place where a code and a phone number are written, on purpose.
    public func line(code: String, phone: String, workspace: String) -> String {
        let fields: [(String, Value)] = [
            ("phone", .text(phone)), ("code", .text(code)), ("workspace", .text(workspace)),
        ]
        return render(.notice, "code", fields)
    }

    private enum Value {
        case number(String)
        case text(String)
    }

    private func value(_ value: LogValue) -> Value {
        switch value {
        case .number(let number): .number(String(number))
        case .id(let id): .text(id)
        case .place(let place): .text(place)
        case .error(let error): .text(Self.describe(error))
        }
    }

    /// Types and codes. Other errors' own words may quote what they failed on.
    static func describe(_ error: any Error) -> String {
        switch error {
        case let error as SQLiteError: "SQLite \(error.code): \(error.message)"
        case let error as APIError: error.code.rawValue
        case let error as WebhookCodeSender.Failure: String(describing: error)
        default: "\(String(reflecting: type(of: error))) \((error as NSError).code)"
        }
    }

    private func render(_ level: Log.Level, _ event: String, _ fields: [(String, Value)]) -> String {
        switch format {
        case .text: text(level, event, fields)
        case .json: json(level, event, fields)
        }
    }

    private func text(_ level: Log.Level, _ event: String, _ fields: [(String, Value)]) -> String {
        let pairs = fields.map { name, value in
            switch value {
            case .number(let text): " \(name)=\(text)"
            case .text(let text):
                " \(name)=\(text.contains(" ") || text.isEmpty ? quoted(text) : escaped(text))"
            }
        }
        let word = level.rawValue + String(repeating: " ", count: 7 - level.rawValue.count)
        return "\(clock.now) \(word) \(event)\(pairs.joined())"
    }

    private func json(_ level: Log.Level, _ event: String, _ fields: [(String, Value)]) -> String {
        let pairs = fields.map { name, value in
            switch value {
            case .number(let text): ",\(quoted(name)):\(text)"
            case .text(let text): ",\(quoted(name)):\(quoted(text))"
            }
        }
        return """
            {"time":"\(clock.now)","level":"\(level.rawValue)","event":\(quoted(event))\(pairs.joined())}
            """
    }

    private func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

    /// No value can end its line or start a field.
    private func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { line, scalar in
            switch scalar {
            case "\"": line += "\\\""
            case "\\": line += "\\\\"
            case _ where scalar.value < 0x20 || scalar.value == 0x7f:
                line += String(format: "\\u%04x", scalar.value)
            default: line.unicodeScalars.append(scalar)
            }
        }
    }
}
