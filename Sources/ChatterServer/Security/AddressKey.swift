import Foundation

/// An address as limits count it: whoever has one IPv6 address has the whole /64 around it.
enum AddressKey {
    /// - Parameter address: numeric; anything else counts as it is written.
    static func of(_ address: String) -> String {
        var bytes = [UInt8](repeating: 0, count: 16)
        // `%eth0` says by which way, not who.
        let text = address.split(separator: "%", maxSplits: 1).first.map(String.init) ?? address
        guard text.contains(":"), inet_pton(AF_INET6, text, &bytes) == 1 else { return address }
        let isIPv4 = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xff && bytes[11] == 0xff
        if isIPv4 { return bytes[12...].map(String.init).joined(separator: ".") }
        return bytes[..<8].map { String($0, radix: 16) }.joined(separator: ":") + "/64"
    }
}
