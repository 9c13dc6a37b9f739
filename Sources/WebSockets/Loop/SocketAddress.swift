import CWebSockets
import Foundation

/// An IPv4 or IPv6 address with its port.
struct SocketAddress {
    private var storage: sockaddr_storage
    private let length: socklen_t

    var family: Int32 { Int32(storage.ss_family) }

    init(_ address: UnsafePointer<sockaddr>, length: socklen_t) {
        storage = sockaddr_storage()
        self.length = length
        withUnsafeMutableBytes(of: &storage) {
            $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(length)))
        }
    }

    func withPointer<Value>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Value) -> Value {
        withUnsafePointer(to: storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }

    var port: UInt16 {
        withUnsafeBytes(of: storage) {
            UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
        }
    }

    func with(port: UInt16) -> SocketAddress {
        var copy = self
        withUnsafeMutableBytes(of: &copy.storage) {
            // The port is at the same place in both families.
            $0.storeBytes(of: port.bigEndian, toByteOffset: 2, as: UInt16.self)
        }
        return copy
    }

    /// `::`
    var isUnspecified: Bool {
        family == AF_INET6 && withUnsafeBytes(of: storage) { $0[8..<24].allSatisfy { $0 == 0 } }
    }

    /// The address without its port; an IPv4 peer of a dual-stack socket reads as IPv4.
    var numeric: String {
        let text = withPointer { address, length in
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
                getnameinfo(address, length, buffer.baseAddress, 64, nil, 0, NI_NUMERICHOST) == 0
                    ? String(cString: buffer.baseAddress!) : ""  // capacity > 0
            }
        }
        return text.hasPrefix("::ffff:") && text.contains(".") ? String(text.dropFirst(7)) : text
    }

    /// All addresses of a name, or the one that a numeric host is. May block on the name service.
    static func resolve(
        host: String, port: UInt16, forListening: Bool
    ) throws(WebSocketError) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = forListening ? AI_PASSIVE : 0
        let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        var found: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(bare, String(port), &hints, &found)
        guard status == 0 else {
            let words = String(cString: gai_strerror(status))
            throw forListening ? .badHost(host) : .unreachable("\(host): \(words)")
        }
        defer { freeaddrinfo(found) }
        var addresses: [SocketAddress] = []
        var next = found
        while let entry = next {
            if let pointer = entry.pointee.ai_addr {
                let address = SocketAddress(pointer, length: entry.pointee.ai_addrlen)
                // A hosts file may name an address twice.
                if !addresses.contains(where: { $0.numeric == address.numeric }) { addresses.append(address) }
            }
            next = entry.pointee.ai_next
        }
        return addresses
    }

    static func local(of descriptor: Int32) -> SocketAddress? { named(descriptor, getsockname) }

    static func peer(of descriptor: Int32) -> SocketAddress? { named(descriptor, getpeername) }

    private static func named(
        _ descriptor: Int32,
        _ ask: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> SocketAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                ask(descriptor, $0, &length) == 0 ? SocketAddress($0, length: length) : nil
            }
        }
    }
}
