/// Appends JSON to bytes, in the order of the calls.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(512) }

    mutating func object<Outcome>(_ fields: (inout JSONWriter) -> Outcome) -> Outcome {
        open(UInt8(ascii: "{"))
        defer { bytes.append(UInt8(ascii: "}")) }
        return fields(&self)
    }

    mutating func field(_ key: StaticString, _ text: String) {
        name(key)
        string(text)
    }

    mutating func field(_ key: StaticString, _ number: Int64) {
        name(key)
        integer(number)
    }

    mutating func field(_ key: StaticString, _ flag: Bool) {
        name(key)
        bytes.append(contentsOf: flag ? "true".utf8 : "false".utf8)
    }

    mutating func field(_ key: StaticString, _ time: Timestamp) {
        name(key)
        string(time.description)
    }

    /// False when `value` leaves itself to Foundation.
    mutating func field(_ key: StaticString, _ value: some QuickWritable) -> Bool {
        name(key)
        return value.write(to: &self)
    }

    /// False when one of `values` leaves itself to Foundation.
    mutating func field(_ key: StaticString, _ values: [some QuickWritable]) -> Bool {
        name(key)
        open(UInt8(ascii: "["))
        defer { bytes.append(UInt8(ascii: "]")) }
        return values.allSatisfy { $0.write(to: &self) }
    }

    /// A bracket in a list or after a key.
    private mutating func open(_ bracket: UInt8) {
        if bytes.last == UInt8(ascii: "}") { bytes.append(UInt8(ascii: ",")) }
        bytes.append(bracket)
    }

    /// No key or value ends in an opening brace, so that one means "first in its object".
    private mutating func name(_ key: StaticString) {
        if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        key.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func integer(_ number: Int64) {
        bytes.append(contentsOf: String(number).utf8)
    }

    private mutating func string(_ text: String) {
        var text = text
        bytes.append(UInt8(ascii: "\""))
        text.withUTF8 { utf8 in
            if utf8.contains(where: Self.needsEscape) {
                for byte in utf8 { escaped(byte) }
            } else {
                bytes.append(contentsOf: utf8)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func escaped(_ byte: UInt8) {
        guard Self.needsEscape(byte) else {
            bytes.append(byte)
            return
        }
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\n"): bytes.append(UInt8(ascii: "n"))
        case UInt8(ascii: "\r"): bytes.append(UInt8(ascii: "r"))
        case UInt8(ascii: "\t"): bytes.append(UInt8(ascii: "t"))
        case 0..<0x20:
            bytes.append(contentsOf: "u00".utf8)
            for digit in [byte >> 4, byte & 0xF] {
                bytes.append(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
            }
        default: bytes.append(byte)
        }
    }
}
