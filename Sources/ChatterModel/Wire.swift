import Foundation

/// JSON as Chatter writes and reads it. The same on both sides and on every thread.
public enum Wire {
    public static func encode<Value: Encodable>(_ value: Value) throws -> [UInt8] {
        [UInt8](try encoder.encode(value))
    }

    /// Throws `DecodingError`. Unknown keys are ignored.
    public static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        try decoder.decode(type, from: Data(bytes))
    }

    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        return encoder
    }()
    private static let decoder = JSONDecoder()
}
