import Foundation

/// The idempotency key of a send: a UUID made once on the device, stored with the pending message and reused on
/// every retry. Travels as lower-case text.
public struct ClientMessageID: Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String

    /// nil unless `text` is a UUID; upper case is folded, so that one key has one spelling.
    public init?(_ text: String) {
        guard let uuid = UUID(uuidString: text) else { return nil }
        rawValue = uuid.uuidString.lowercased()
    }

    public init(_ uuid: UUID) { rawValue = uuid.uuidString.lowercased() }

    public var description: String { rawValue }
}

extension ClientMessageID: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = ClientMessageID(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a UUID")
        }
        self = id
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
