/// RFC 3986 section 2.
enum PercentEncoding {
    /// libwebsockets hands out paths decoded; this makes them safe to split at slashes and to decode once again.
    static func path(_ bytes: some Sequence<UInt8>) -> String {
        encode(bytes) { isUnreserved($0) || "/!$&'()*+,;=:@".utf8.contains($0) }
    }

    /// Of arguments that are decoded each.
    static func query(_ arguments: [[UInt8]]) -> String {
        arguments.map { argument in
            let parts = argument.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return parts.map { encode($0, keeping: isUnreserved) }.joined(separator: "=")
        }.joined(separator: "&")
    }

    private static func encode(_ bytes: some Sequence<UInt8>, keeping isKept: (UInt8) -> Bool) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var text: [UInt8] = []
        for byte in bytes {
            if isKept(byte) {
                text.append(byte)
            } else {
                text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}

/// What may be in a header's name. RFC 9110 section 5.6.2.
func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}
