/// A server id (UUIDv7 text, lower case) that the compiler keeps apart by what it names.
public struct ID<Entity>: Hashable, Sendable, Comparable, CustomStringConvertible {
    public let rawValue: String

    public init(_ rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension ID: Codable {
    public init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(String.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

/// Lets `[ID<Conversation>: Value]` travel as a JSON object.
extension ID: CodingKeyRepresentable {
    public var codingKey: any CodingKey { IDKey(stringValue: rawValue) }

    public init?(codingKey: some CodingKey) { rawValue = codingKey.stringValue }
}

private struct IDKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
