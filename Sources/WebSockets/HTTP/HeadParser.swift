/// A request or response head cut into its lines: the first one, then names and values.
struct HeadLines {
    let start: String
    /// Lower-case names, in order.
    let fields: [(name: String, value: String)]

    /// Nil when a line breaks RFC 9112: bare line ends, control characters, folded lines, a name that is no token.
    init?(_ head: ArraySlice<UInt8>) {
        let lines = Self.split(head)
        guard let first = lines.next(), Self.isClean(first), !first.isEmpty else { return nil }
        start = String(decoding: first, as: UTF8.self)
        var fields: [(name: String, value: String)] = []
        while let line = lines.next() {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else {
                return nil
            }
            let name = line[..<colon]
            let value = Self.trimmed(line[(colon + 1)...])
            guard name.allSatisfy(isTokenByte), Self.isClean(value) else { return nil }
            fields.append((Self.lowercased(name), String(decoding: value, as: UTF8.self)))
        }
        self.fields = fields
    }

    /// Fields by name; repeated ones joined as RFC 9110 section 5.3 allows, cookies with `; `.
    var joined: [String: String] {
        var joined: [String: String] = [:]
        joined.reserveCapacity(fields.count)
        for (name, value) in fields {
            if let earlier = joined[name] {
                joined[name] = earlier + (name == "cookie" ? "; " : ", ") + value
            } else {
                joined[name] = value
            }
        }
        return joined
    }

    private static func split(_ head: ArraySlice<UInt8>) -> AnyIterator<ArraySlice<UInt8>> {
        var rest = head
        return AnyIterator {
            guard !rest.isEmpty else { return nil }
            guard let end = rest.firstIndex(of: UInt8(ascii: "\r")), end + 1 < rest.endIndex,
                rest[end + 1] == UInt8(ascii: "\n")
            else {
                defer { rest = [] }
                return rest
            }
            defer { rest = rest[(end + 2)...] }
            return rest[..<end]
        }
    }

    private static func isClean(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes
        while let first = bytes.first, first == 0x20 || first == 0x09 { bytes.removeFirst() }
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        return bytes
    }

    private static func lowercased(_ bytes: ArraySlice<UInt8>) -> String {
        String(unsafeUninitializedCapacity: bytes.count) { buffer in
            var index = 0
            for byte in bytes {
                buffer[index] = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
                index += 1
            }
            return index
        }
    }
}

/// Bytes that arrived, from which a head, a line or a body is taken when it is complete.
struct InputBuffer {
    private var bytes: [UInt8] = []
    private var start = 0
    /// Up to where a head's end was searched for.
    private var searched = 0

    var count: Int { bytes.count - start }
    var isEmpty: Bool { count == 0 }

    mutating func append(_ more: UnsafeRawBufferPointer) {
        if start > 0 {
            bytes.removeFirst(start)
            searched -= start
            start = 0
        }
        bytes.append(contentsOf: more)
    }

    /// Everything up to the first empty line, and what follows it stays. Nil while there is no empty line.
    mutating func takeHead() -> ArraySlice<UInt8>? {
        var index = max(searched, start)
        while index + 3 < bytes.count {
            if bytes[index] == 0x0D, bytes[index + 1] == 0x0A, bytes[index + 2] == 0x0D,
                bytes[index + 3] == 0x0A
            {
                let head = bytes[start..<index]
                start = index + 4
                searched = start
                return head
            }
            index += 1
        }
        searched = index
        return nil
    }

    /// A line without its end; nil while it is incomplete.
    mutating func takeLine() -> ArraySlice<UInt8>? {
        guard let end = bytes[start...].firstIndex(of: 0x0A) else { return nil }
        let line = bytes[start..<end]
        start = end + 1
        searched = start
        return line.last == 0x0D ? line.dropLast() : line
    }

    mutating func take(atMost limit: Int) -> ArraySlice<UInt8> {
        let taken = bytes[start..<start + min(limit, count)]
        start += taken.count
        searched = start
        return taken
    }

    /// Drops the empty lines that RFC 9112 section 2.2 has a server ignore before a request.
    mutating func skipEmptyLines() {
        while count >= 2, bytes[start] == 0x0D, bytes[start + 1] == 0x0A { start += 2 }
        searched = max(searched, start)
    }

    /// Gives the memory back, for a connection that waits for its next request.
    mutating func shrink() {
        if isEmpty { self = InputBuffer() }
    }
}
