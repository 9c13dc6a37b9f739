import CWebSockets
import Foundation

/// The addresses that a name stands for, to listen on.
struct ListenAddresses {
    private let host: String
    private let numeric: [String]

    /// May block on the name service. Throws `.badHost`.
    init(_ host: String) throws(WebSocketError) {
        self.host = host
        let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard !bare.isEmpty, getaddrinfo(bare, nil, &hints, &found) == 0 else { throw .badHost(host) }
        defer { freeaddrinfo(found) }
        var addresses: [String] = []
        var next = found
        while let entry = next?.pointee {
            if let address = Self.text(entry), !addresses.contains(address) { addresses.append(address) }
            next = entry.ai_next
        }
        numeric = addresses
    }

    private static func text(_ entry: addrinfo) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let status = getnameinfo(entry.ai_addr, entry.ai_addrlen, start, 64, nil, 0, NI_NUMERICHOST)
            return status == 0 ? String(cString: start) : nil
        }
    }

    /// Listens on each of them, on one port, which is the answer.
    func listen(_ configuration: ListenerConfiguration, on loop: EventLoop) throws(WebSocketError) -> UInt16 {
        var port = configuration.port
        var isListening = false
        for address in numeric {
            switch loop.listen(at: address, port: port, configuration) {
            case .success(let taken):
                port = taken
                isListening = true
            case .failure(let error):
                let error = failure(error.code, port)
                // A name may have an address of a family this machine does not speak, e.g. ::1 for localhost.
                if case .badHost = error, numeric.count > 1 { continue }
                throw error
            }
        }
        guard isListening else { throw .badHost(host) }
        return port
    }

    private func failure(_ code: Int32, _ port: UInt16) -> WebSocketError {
        let name = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        switch code {
        case EADDRINUSE: return .addressInUse(name)
        case EADDRNOTAVAIL, EAFNOSUPPORT: return .badHost(name)
        case EACCES, EPERM: return .permissionDenied(name)
        default: return .system("cannot listen on \(name): \(String(cString: strerror(code)))")
        }
    }
}

extension EventLoop {
    /// The port, which 0 leaves to the system.
    fileprivate func listen(
        at address: String, port: UInt16, _ configuration: ListenerConfiguration
    ) -> Result<UInt16, LoopError> {
        makeVhost { info in
            info.port = Int32(port)
            info.iface = keep(address)
            info.keepalive_timeout = Int32(clamping: configuration.timeouts.idleClose.wholeSeconds)
            info.timeout_secs_ah_idle = UInt32(clamping: configuration.timeouts.request.wholeSeconds)
            var options = LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND
            if !address.contains(":") {
                options |= LWS_SERVER_OPTION_DISABLE_IPV6
            } else {
                options |= LWS_SERVER_OPTION_IPV6_V6ONLY_MODIFY
                // `::` alone serves both families; next to an IPv4 socket it must not take that one's port.
                if address != "::" { options |= LWS_SERVER_OPTION_IPV6_V6ONLY_VALUE }
            }
            if let identity = configuration.tls {
                options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT | LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS
                info.ssl_cert_filepath = keep(identity.certificatePath)
                info.ssl_private_key_filepath = keep(identity.privateKeyPath)
            }
            info.options = UInt64(options)
        }.map { UInt16(clamping: lws_get_vhost_listen_port($0)) }
    }
}
