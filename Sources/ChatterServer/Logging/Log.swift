/// What may stand in a log line. There is no case for free text: a phone number, a code, a token or a message's
/// body has no way in.
public enum LogValue: Sendable {
    case number(Int)
    case id(String)
    /// Its type, and for storage errors the code and SQLite's own words (bound values are never part of them).
    case error(any Error)
    /// A place that the operator configured: a path or an address to listen on.
    case place(String)
}

/// Structured log lines: a fixed event and fields. Written at once, one line each.
public struct Log: Sendable {
    public enum Level: String, Sendable, CaseIterable, Comparable {
        case debug, info, notice, warning, error

        public static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }
        private var rank: Int { Level.allCases.firstIndex(of: self) ?? 0 }
    }

    public enum Format: String, Sendable, CaseIterable {
        case text, json
    }

    /// One event, before it becomes text.
    public struct Entry: Sendable {
        public let level: Level
        public let event: String
        public let fields: [(String, LogValue)]
    }

    private let lowest: Level
    private let write: @Sendable (Entry) -> Void

    public init(lowest: Level, write: @escaping @Sendable (Entry) -> Void) {
        self.lowest = lowest
        self.write = write
    }

    public static let off = Log(lowest: .error) { _ in }

    public func debug(
        _ event: StaticString, _ fields: @autoclosure () -> KeyValuePairs<StaticString, LogValue> = [:]
    ) {
        add(.debug, event, fields)
    }
    public func info(
        _ event: StaticString, _ fields: @autoclosure () -> KeyValuePairs<StaticString, LogValue> = [:]
    ) {
        add(.info, event, fields)
    }
    public func notice(
        _ event: StaticString, _ fields: @autoclosure () -> KeyValuePairs<StaticString, LogValue> = [:]
    ) {
        add(.notice, event, fields)
    }
    public func warning(
        _ event: StaticString, _ fields: @autoclosure () -> KeyValuePairs<StaticString, LogValue> = [:]
    ) {
        add(.warning, event, fields)
    }
    public func error(
        _ event: StaticString, _ fields: @autoclosure () -> KeyValuePairs<StaticString, LogValue> = [:]
    ) {
        add(.error, event, fields)
    }

    private func add(
        _ level: Level, _ event: StaticString, _ fields: () -> KeyValuePairs<StaticString, LogValue>
    ) {
        guard level >= lowest else { return }
        write(Entry(level: level, event: "\(event)", fields: fields().map { ("\($0.key)", $0.value) }))
    }
}
