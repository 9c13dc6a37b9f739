import CCrypto
import Foundation

func hmacSHA256(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 32) { buffer, written in
        var length: UInt32 = 0
        HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, buffer.baseAddress, &length)
        written = Int(length)
    }
}

func sha256(_ message: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 32) { buffer, written in
        SHA256(message, message.count, buffer.baseAddress)
        written = 32
    }
}

/// In a time that does not tell where they differ.
func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
}

func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(unsafeUninitializedCapacity: bytes.count * 2) { buffer in
        for (index, byte) in bytes.enumerated() {
            buffer[2 * index] = digits[Int(byte >> 4)]
            buffer[2 * index + 1] = digits[Int(byte & 15)]
        }
        return bytes.count * 2
    }
}

/// RFC 4648's alphabet for URLs, without padding.
func base64URL(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
        .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
}

/// nil unless `text` is spelled as `base64URL` spells it.
func fromBase64URL(_ text: some StringProtocol) -> [UInt8]? {
    guard !text.contains(where: { $0 == "+" || $0 == "/" || $0 == "=" }) else { return nil }
    let standard = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    let padding = String(repeating: "=", count: (4 - standard.count % 4) % 4)
    return Data(base64Encoded: standard + padding).map { [UInt8]($0) }
}

/// nil unless `text` is a UUID.
func uuidBytes(_ text: String) -> [UInt8]? {
    UUID(uuidString: text).map { id in withUnsafeBytes(of: id.uuid) { [UInt8]($0) } }
}
