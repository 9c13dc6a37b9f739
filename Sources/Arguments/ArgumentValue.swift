/// A type that a flag or an argument can have. Conform your own to check while parsing: what cannot be read is
/// refused with a line that names the flag and `expected`.
public protocol ArgumentValue: Sendable {
    init?(argument: String)

    /// As a person would type it; shows defaults in help.
    var argument: String { get }

    /// Completes "needs …" in an error: "a whole number".
    static var expected: String { get }
}

extension ArgumentValue where Self: LosslessStringConvertible {
    public init?(argument: String) { self.init(argument) }
    public var argument: String { description }
}

/// An enum of words: the error lists them.
extension ArgumentValue where Self: RawRepresentable, RawValue == String, Self: CaseIterable {
    public init?(argument: String) { self.init(rawValue: argument.lowercased()) }
    public var argument: String { rawValue }

    public static var expected: String {
        "one of " + allCases.map(\.rawValue).joined(separator: ", ")
    }
}

extension String: ArgumentValue {
    public static var expected: String { "some text" }
}

extension Int: ArgumentValue {
    public static var expected: String { "a whole number" }
}

extension UInt16: ArgumentValue {
    public static var expected: String { "a whole number from 0 to 65535" }
}

extension Double: ArgumentValue {
    public static var expected: String { "a number" }
}

/// `500ms`, `10s`, `5m`, `2h`, `7d`; a number alone is seconds. Never negative.
extension Duration: ArgumentValue {
    public static var expected: String { "a length of time such as 500ms, 10s, 5m, 2h or 7d" }

    private static let units: [(suffix: String, milliseconds: Double)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]

    public init?(argument: String) {
        let digits = argument.prefix { $0.isNumber || $0 == "." }
        let suffix = digits.count == argument.count ? "s" : String(argument.dropFirst(digits.count))
        guard let unit = Self.units.first(where: { $0.suffix == suffix }), let number = Double(digits),
            // Above this a Duration of milliseconds would leave Int64.
            number * unit.milliseconds < 1e15
        else { return nil }
        self = .milliseconds(Int64(number * unit.milliseconds))
    }

    public var argument: String {
        let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
        let unit = Self.units.last { milliseconds != 0 && milliseconds % Int64($0.milliseconds) == 0 }
        guard let unit else { return "\(milliseconds)ms" }
        return "\(milliseconds / Int64(unit.milliseconds))\(unit.suffix)"
    }
}
