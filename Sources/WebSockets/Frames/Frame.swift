/// RFC 6455 section 5.2.
enum Opcode: UInt8 {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xA

    var isControl: Bool { rawValue & 0x8 != 0 }
}

/// Which end of the connection this is: a client masks what it sends, a server does not.
enum Role {
    case server
    case client
}

/// A Close frame's content.
struct CloseReason: Equatable, Sendable {
    var code: UInt16
    var reason: String

    /// No code was given in the Close frame.
    static let none = CloseReason(code: 1005, reason: "")
    /// The connection ended without a Close frame.
    static let abnormal = CloseReason(code: 1006, reason: "")

    /// The payload of the frame; 1005 and 1006 never travel. The reason is cut at 123 bytes, between characters.
    var payload: [UInt8] {
        guard code != Self.none.code, code != Self.abnormal.code else { return [] }
        var payload = [UInt8(code >> 8), UInt8(truncatingIfNeeded: code)]
        for character in reason {
            let bytes = character.utf8
            guard payload.count + bytes.count <= 125 else { break }
            payload.append(contentsOf: bytes)
        }
        return payload
    }

    /// Nil when the payload breaks RFC 6455 section 7.4.
    init?(payload: [UInt8]) {
        guard !payload.isEmpty else {
            self = .none
            return
        }
        guard payload.count >= 2 else { return nil }
        let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: break
        default: return nil
        }
        guard let reason = String(validating: payload[2...], as: UTF8.self) else { return nil }
        self.init(code: code, reason: reason)
    }

    init(code: UInt16, reason: String) {
        self.code = code
        self.reason = reason
    }
}

/// The first bytes of a frame.
struct FrameHeader {
    var isFinal = true
    var opcode: Opcode
    var length: Int
    var mask: UInt32?

    /// At most 14 bytes.
    func append(to buffer: inout WriteBuffer) -> Int {
        withUnsafeTemporaryAllocation(byteCount: 14, alignment: 1) { bytes in
            let count = encode(into: bytes)
            return buffer.append(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        }
    }

    func encode(into bytes: UnsafeMutableRawBufferPointer) -> Int {
        bytes[0] = (isFinal ? 0x80 : 0) | opcode.rawValue
        let maskBit: UInt8 = mask == nil ? 0 : 0x80
        var count: Int
        switch length {
        case ..<126:
            bytes[1] = maskBit | UInt8(length)
            count = 2
        case ..<65536:
            bytes[1] = maskBit | 126
            bytes.storeBytes(of: UInt16(length).bigEndian, toByteOffset: 2, as: UInt16.self)
            count = 4
        default:
            bytes[1] = maskBit | 127
            bytes.storeBytes(of: UInt64(length).bigEndian, toByteOffset: 2, as: UInt64.self)
            count = 10
        }
        if let mask {
            bytes.storeBytes(of: mask, toByteOffset: count, as: UInt32.self)
            count += 4
        }
        return count
    }
}

/// XORs `bytes` with a mask whose first byte in memory order applies to byte 0 of the payload; `offset` is
/// where in the payload `bytes` begins.
func applyMask(_ mask: UInt32, at offset: Int, to bytes: UnsafeMutableRawBufferPointer) {
    // Rotated so that the mask's byte for the first of `bytes` comes first in memory.
    let shift = UInt32(truncatingIfNeeded: offset & 3) * 8
    let little = UInt32(littleEndian: mask)
    let rotated = shift == 0 ? little : little >> shift | little << (32 - shift)
    let wide = UInt64(rotated) << 32 | UInt64(rotated)
    var index = 0
    while index + 8 <= bytes.count {
        let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        bytes.storeBytes(of: word ^ wide.littleEndian, toByteOffset: index, as: UInt64.self)
        index += 8
    }
    while index < bytes.count {
        bytes[index] ^= UInt8(truncatingIfNeeded: rotated >> (UInt32(index & 3) * 8))
        index += 1
    }
}
