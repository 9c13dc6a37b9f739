import Foundation

/// A point in time in whole milliseconds since 1970, UTC. On the wire RFC 3339 with three decimals:
/// `2026-11-30T15:53:38.120Z`.
public struct Timestamp: Hashable, Sendable, Comparable {
    public let milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    public init(_ date: Date) { milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded()) }

    public var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

    /// The wire's word for "for ever", as in a mute without an end.
    public static let distantFuture = Timestamp(milliseconds: 253_402_300_799_999)

    public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }

    public func advanced(by duration: Duration) -> Timestamp {
        let (seconds, attoseconds) = duration.components
        return Timestamp(milliseconds: milliseconds + seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }

    public func duration(to later: Timestamp) -> Duration { .milliseconds(later.milliseconds - milliseconds) }
}

extension Timestamp: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let timestamp = Timestamp(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not an RFC 3339 UTC time")
        }
        self = timestamp
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
