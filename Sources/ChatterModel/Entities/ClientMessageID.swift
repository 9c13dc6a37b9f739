import Foundation

/// The idempotency key of a send: a UUID made once on the device, stored with the pending message and reused on
/// every retry. Travels as lower-case text.
public struct ClientMessageID: Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String

    /// nil unless `text` is a UUID (8-4-4-4-12 hexadecimal digits); upper case is folded, so that one key has one
    /// spelling.
    public init?(_ text: String) {
        var text = text
        guard text.withUTF8(Self.isUUID) else { return nil }
        rawValue = text.utf8.contains(where: Self.isUpper) ? text.lowercased() : text
    }

    private static func isUUID(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count == 36 else { return false }
        return text.indices.allSatisfy { index in
            switch index {
            case 8, 13, 18, 23: text[index] == UInt8(ascii: "-")
            default: isHexadecimal(text[index])
            }
        }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        case UInt8(ascii: "A")...UInt8(ascii: "F"): true
        default: false
        }
    }

    private static func isUpper(_ byte: UInt8) -> Bool {
        byte < UInt8(ascii: "a") && byte > UInt8(ascii: "9")
    }

    /// For text that `rawValue` gave, as a table keeps it: reading a long history must not parse each again.
    public init(checked rawValue: String) { self.rawValue = rawValue }

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
