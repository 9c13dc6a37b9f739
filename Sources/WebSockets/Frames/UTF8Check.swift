/// Whether `bytes` is well-formed UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
func isValidUTF8(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
        var index = 0
        while index < bytes.count {
            if bytes[index] < 0x80 {
                index = endOfASCII(in: bytes, from: index)
                continue
            }
            let length = lengthOfSequence(in: bytes, at: index)
            guard length > 0 else { return false }
            index += length
        }
        return true
    }
}

private func endOfASCII(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var index = start
    while index + 8 <= bytes.count,
        bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
    {
        index += 8
    }
    while index < bytes.count, bytes[index] < 0x80 { index += 1 }
    return index
}

/// 2, 3 or 4 for a well-formed sequence, 0 for anything else. Unicode 16, table 3-7.
private func lengthOfSequence(in bytes: UnsafeRawBufferPointer, at index: Int) -> Int {
    let length: Int
    let second: ClosedRange<UInt8>
    switch bytes[index] {
    case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return 0
    }
    guard index + length <= bytes.count, second.contains(bytes[index + 1]) else { return 0 }
    for offset in 2..<max(length, 2) where bytes[index + offset] & 0xC0 != 0x80 { return 0 }
    return length
}
