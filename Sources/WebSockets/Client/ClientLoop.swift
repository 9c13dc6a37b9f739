import CWebSockets

/// The thread that all clients of this process share; it lives as long as the process.
final class ClientLoop: Sendable {
    static let shared: Result<ClientLoop, WebSocketError> = {
        do throws(WebSocketError) { return .success(try ClientLoop()) } catch { return .failure(error) }
    }()

    let loop: EventLoop
    /// By the file of authorities to trust besides this machine's, empty for none; nil is the one without TLS.
    nonisolated(unsafe) private var vhosts: [String?: OpaquePointer] = [:]  // Unsafe: the loop's thread only.

    private init() throws(WebSocketError) {
        DescriptorLimit.raise(toHold: Limits().connections)
        loop = try EventLoop(
            name: "WebSocket clients", memory: LoopMemory(receiveBytes: 4096, idle: nil),
            delegate: ClientEvents()
        ) { info in
            // For each address of a host, and for TLS; the attempt as a whole has its own timer.
            info.timeout_secs = 5
            info.max_http_header_data2 = UInt32(Limits().headerBytes)
        }
        loop.start()
    }

    /// What a connection to `url` is opened by; kept, since this machine's authorities take long to read.
    func vhost(for url: WebSocketURL, trusting certificatePath: String?) -> OpaquePointer? {
        let key = url.isSecure ? certificatePath ?? "" : nil
        if let vhost = vhosts[key] { return vhost }
        let made = loop.makeVhost { info in
            guard url.isSecure else { return }
            info.options = UInt64(LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT)
            if let certificatePath { info.client_ssl_ca_filepath = loop.keep(certificatePath) }
        }
        guard case .success(let vhost) = made else { return nil }
        vhosts[key] = vhost
        return vhost
    }
}

private final class ClientEvents: LoopDelegate {
    func handle(_ event: LoopEvent, on loop: EventLoop) -> Int32 {
        event.wire.owner(ClientSession.self)?.handle(event) ?? 0
    }
}
