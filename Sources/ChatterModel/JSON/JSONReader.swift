import Foundation

/// The text is not in the plain spelling that `JSONReader` takes: no error, a case for Foundation's decoder.
struct Unusual: Error {}

/// Reads the plain part of JSON in one pass: objects, arrays, strings, whole numbers, booleans. All else throws `Unusual`, also what is no JSON at all: so a text is never understood here that
/// Foundation would refuse, or otherwise than Foundation does.
struct JSONReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Calls `field` with each key, the reader standing before its value, which `field` must read.
    mutating func object(_ field: (inout JSONReader, String) throws(Unusual) -> Void) throws(Unusual) {
        try expect(UInt8(ascii: "{"))
        if skip(UInt8(ascii: "}")) { return }
        repeat {
            let key = try string()
            try expect(UInt8(ascii: ":"))
            try field(&self, key)
        } while skip(UInt8(ascii: ","))
        try expect(UInt8(ascii: "}"))
    }

    mutating func array<Item: QuickReadable>(of type: Item.Type) throws(Unusual) -> [Item] {
        var items: [Item] = []
        try expect(UInt8(ascii: "["))
        if skip(UInt8(ascii: "]")) { return items }
        repeat { items.append(try Item(from: &self)) } while skip(UInt8(ascii: ","))
        try expect(UInt8(ascii: "]"))
        return items
    }

    mutating func string() throws(Unusual) -> String {
        try expect(UInt8(ascii: "\""))
        let start = position
        position = endOfPlainText(from: start)
        switch next() {
        case UInt8(ascii: "\""): return try text(bytes[start..<position - 1])
        case UInt8(ascii: "\\"): return try escapedString(from: start)
        default: throw Unusual()
        }
    }

    /// The first quote, backslash or control character, else the end.
    private func endOfPlainText(from start: Int) -> Int {
        bytes[start...].firstIndex { byte in
            byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20
        } ?? bytes.endIndex
    }

    /// Up to 18 digits, which no Int64 overflows.
    mutating func integer() throws(Unusual) -> Int64 {
        skipSpace()
        let isNegative = skipExactly(UInt8(ascii: "-"))
        let start = position
        var value: Int64 = 0
        while let byte = peek(), UInt8(ascii: "0") <= byte, byte <= UInt8(ascii: "9") {
            guard position - start < 18 else { throw Unusual() }
            value = value * 10 + Int64(byte - UInt8(ascii: "0"))
            position += 1
        }
        let hasLeadingZero = position - start > 1 && bytes[start] == UInt8(ascii: "0")
        guard position > start, !hasLeadingZero else { throw Unusual() }
        // A fraction or an exponent goes on here; nothing that may follow a whole number looks like one.
        switch peek() {
        case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): throw Unusual()
        default: return isNegative ? -value : value
        }
    }

    mutating func boolean() throws(Unusual) -> Bool {
        skipSpace()
        if skipWord("true") { return true }
        if skipWord("false") { return false }
        throw Unusual()
    }

    mutating func end() throws(Unusual) {
        skipSpace()
        guard position == bytes.count else { throw Unusual() }
    }

    /// Where the next value starts, to come back to with `read(_:at:)`; passes the object that stands there, whose
    /// inside is not judged yet.
    mutating func passObject() throws(Unusual) -> Int {
        skipSpace()
        let start = position
        guard peek() == UInt8(ascii: "{") else { throw Unusual() }
        var depth = 0
        repeat {
            switch next() {
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: "\""): try passString()
            case nil: throw Unusual()
            default: continue
            }
        } while depth > 0
        return start
    }

    /// To behind the closing quote.
    private mutating func passString() throws(Unusual) {
        while true {
            position = endOfPlainText(from: position)
            switch next() {
            case UInt8(ascii: "\""): return
            case UInt8(ascii: "\\"): _ = next()
            default: throw Unusual()
            }
        }
    }

    /// Reads at another place, all of the object there, then stands where it stood.
    mutating func read<Value: QuickReadable>(_ type: Value.Type, at start: Int) throws(Unusual) -> Value {
        let place = position
        position = start
        let value = try Value(from: &self)
        position = place
        return value
    }

    mutating func expect(_ byte: UInt8) throws(Unusual) {
        guard skip(byte) else { throw Unusual() }
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        skipSpace()
        return skipExactly(byte)
    }

    private mutating func skipSpace() {
        while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            position += 1
        }
    }

    private mutating func skipExactly(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipWord(_ word: StaticString) -> Bool {
        let matches = word.withUTF8Buffer { bytes[position...].starts(with: $0) }
        if matches { position += word.utf8CodeUnitCount }
        return matches
    }

    private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func next() -> UInt8? {
        guard let byte = peek() else { return nil }
        position += 1
        return byte
    }
}

// MARK: Text

extension JSONReader {
    /// Swift repairs UTF-8 that is not well-formed; here it must not: then the bytes are others.
    private func text(_ slice: ArraySlice<UInt8>) throws(Unusual) -> String {
        var text = String(decoding: slice, as: UTF8.self)
        let isSame = text.withUTF8 { repaired in
            slice.withUnsafeBufferPointer { given in
                guard repaired.count == given.count else { return false }
                guard let left = repaired.baseAddress, let right = given.baseAddress else { return true }
                return memcmp(left, right, given.count) == 0
            }
        }
        guard isSame else { throw Unusual() }
        return text
    }

    /// Goes on from the string's first backslash, which was just read.
    private mutating func escapedString(from start: Int) throws(Unusual) -> String {
        var content = Array(bytes[start..<position - 1])
        try unescape(into: &content)
        while let byte = next() {
            switch byte {
            case UInt8(ascii: "\""): return try text(content[...])
            case UInt8(ascii: "\\"): try unescape(into: &content)
            case 0..<0x20: throw Unusual()
            default: content.append(byte)
            }
        }
        throw Unusual()
    }

    private mutating func unescape(into content: inout [UInt8]) throws(Unusual) {
        switch next() {
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "\""): content.append(UInt8(ascii: "\""))
        case UInt8(ascii: "\\"): content.append(UInt8(ascii: "\\"))
        case UInt8(ascii: "/"): content.append(UInt8(ascii: "/"))
        case UInt8(ascii: "u"): content.append(contentsOf: Character(try unicodeScalar()).utf8)
        default: throw Unusual()
        }
    }

    /// After `\u`: four digits, and for a surrogate its other half. A half alone is no text.
    private mutating func unicodeScalar() throws(Unusual) -> Unicode.Scalar {
        let first = try codeUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard UTF16.isLeadSurrogate(first), next() == UInt8(ascii: "\\"), next() == UInt8(ascii: "u") else {
            throw Unusual()
        }
        let second = try codeUnit()
        guard UTF16.isTrailSurrogate(second),
            let scalar = Unicode.Scalar(
                0x10000 + ((UInt32(first) - 0xD800) << 10) + (UInt32(second) - 0xDC00))
        else { throw Unusual() }
        return scalar
    }

    private mutating func codeUnit() throws(Unusual) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = next() else { throw Unusual() }
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt16(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"):
                value = value << 4 | UInt16(byte - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"):
                value = value << 4 | UInt16(byte - UInt8(ascii: "A") + 10)
            default: throw Unusual()
            }
        }
        return value
    }
}
