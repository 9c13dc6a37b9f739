import CWebSockets
import Foundation

/// Makes the descriptors a listener accepts on.
enum ListeningSockets {
    /// One bound and listening descriptor for each address of `host`, all on the same port, and that port.
    static func open(
        host: String, port: UInt16
    ) throws(WebSocketError) -> (descriptors: [Int32], port: UInt16) {
        let addresses = try SocketAddress.resolve(host: host, port: port, forListening: true)
        var attempts = 0
        while true {
            do throws(WebSocketError) {
                return try open(addresses, port: port, shownAs: name(host, port))
            } catch {
                // A port that is free at one address may be taken at the next; any other will do.
                attempts += 1
                guard port == 0, addresses.count > 1, attempts < 10, case .addressInUse = error else {
                    throw error
                }
            }
        }
    }

    private static func open(
        _ addresses: [SocketAddress], port: UInt16, shownAs name: String
    ) throws(WebSocketError) -> (descriptors: [Int32], port: UInt16) {
        var descriptors: [Int32] = []
        var bound = port
        for address in addresses {
            do throws(WebSocketError) {
                let (descriptor, taken) = try open(address.with(port: bound), shownAs: name)
                descriptors.append(descriptor)
                bound = taken
            } catch {
                // A name may have an address of a family this machine does not speak, e.g. ::1 for localhost.
                if case .badHost = error, addresses.count > 1 { continue }
                for descriptor in descriptors { close(descriptor) }
                throw error
            }
        }
        guard !descriptors.isEmpty else { throw .badHost(name) }
        return (descriptors, bound)
    }

    private static func name(_ host: String, _ port: UInt16) -> String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    private static func open(
        _ address: SocketAddress, shownAs name: String
    ) throws(WebSocketError) -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(
            address.family,
            Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
                | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else {
            throw errno == EAFNOSUPPORT
                ? .badHost(name) : .system("cannot create a socket: \(systemWords(errno))")
        }
        // A restarted server gets its port back although old connections linger.
        setOption(descriptor, Int32(SOL_SOCKET), Int32(SO_REUSEADDR), 1)
        if address.family == AF_INET6 {
            // `::` alone serves both families; next to an IPv4 socket it must not take that one's port.
            setOption(descriptor, Int32(IPPROTO_IPV6), Int32(IPV6_V6ONLY), address.isUnspecified ? 0 : 1)
        }
        guard address.withPointer({ bind(descriptor, $0, $1) }) == 0, listen(descriptor, 1024) == 0 else {
            let code = errno
            close(descriptor)
            throw failure(code, name)
        }
        return (descriptor, SocketAddress.local(of: descriptor)?.port ?? address.port)
    }

    private static func failure(_ code: Int32, _ name: String) -> WebSocketError {
        switch code {
        case EADDRINUSE: .addressInUse(name)
        case EADDRNOTAVAIL, EAFNOSUPPORT: .badHost(name)
        case EACCES, EPERM: .permissionDenied(name)
        default: .system("cannot listen on \(name): \(systemWords(code))")
        }
    }
}

func setOption(_ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Int32) {
    var value = value
    setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
}

func systemWords(_ code: Int32) -> String { String(cString: strerror(code)) }
