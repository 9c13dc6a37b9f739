import Foundation

/// JSON as Chatter writes and reads it: the same on both sides and on every thread. Foundation's coders do it, but
/// for the shapes that every message passes through (`QuickWritable`, `QuickReadable`), which write and read
/// themselves at a tenth of the cost (docs/decisions/0010-json-and-timestamps.md).
public enum Wire {
    public static func encode<Value: Encodable>(_ value: Value) throws -> [UInt8] {
        if let quick = value as? any QuickWritable {
            var json = JSONWriter()
            if quick.write(to: &json) { return json.bytes }
        }
        return try encodeByFoundation(value)
    }

    /// Throws `DecodingError`. Unknown keys are ignored.
    public static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        if let quick = type as? any QuickReadable.Type, let value = quick.read(all: bytes) as? Value {
            return value
        }
        return try decodeByFoundation(type, from: bytes)
    }

    static func encodeByFoundation<Value: Encodable>(_ value: Value) throws -> [UInt8] {
        [UInt8](try encoder.encode(value))
    }

    static func decodeByFoundation<Value: Decodable>(
        _ type: Value.Type, from bytes: [UInt8]
    ) throws -> Value {
        try decoder.decode(type, from: Data(bytes))
    }

    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        return encoder
    }()
    private static let decoder = JSONDecoder()
}

/// Writes the JSON that Foundation's encoder would write for the same value, but for the order of keys.
protocol QuickWritable: Encodable {
    /// False: this value is left to Foundation, and what was written is void.
    func write(to json: inout JSONWriter) -> Bool
}

/// Reads what Foundation's decoder would read, or leaves the text to it by throwing.
protocol QuickReadable: Decodable {
    init(from json: inout JSONReader) throws(Unusual)
}

extension QuickReadable {
    /// nil unless all of `bytes` is this value in plain spelling.
    fileprivate static func read(all bytes: [UInt8]) -> Self? {
        do {
            var json = JSONReader(bytes)
            let value = try Self(from: &json)
            try json.end()
            return value
        } catch {
            // Not a verdict: Foundation's decoder gives that.
            return nil
        }
    }
}
