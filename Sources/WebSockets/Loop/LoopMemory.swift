import CWebSockets

/// What libwebsockets keeps pointers to while a context lives.
final class LoopMemory: @unchecked Sendable {
    // Unchecked: written before the context's thread starts, then read on that thread only; freed there last.

    let protocols: UnsafeMutablePointer<lws_protocols>
    let validity: UnsafeMutablePointer<lws_retry_bo_t>
    /// For `lws_context_creation_info.user`.
    private(set) var events: UnsafeMutableRawPointer?
    private var handler: ((LoopEvent) -> Int32)?
    private var strings: [UnsafeMutablePointer<CChar>] = []

    nonisolated(unsafe) static let http = constant("http/1.1")  // Unsafe: immortal and constant.
    nonisolated(unsafe) static let noProxy = constant("")  // Unsafe: immortal and constant.
    nonisolated(unsafe) static let protocolName = constant("ws")  // Unsafe: immortal and constant.

    private static func constant(_ text: StaticString) -> UnsafePointer<CChar> {
        UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    /// - Parameters:
    ///   - receiveBytes: of a WebSocket's message that are handed over at once; each connection has such a buffer.
    ///   - idle: when a silent WebSocket is pinged and given up, in whole seconds; nil for never.
    init(receiveBytes: Int, idle: (ping: Duration, close: Duration)?) {
        protocols = .allocate(capacity: 2)
        protocols.initialize(repeating: lws_protocols(), count: 2)
        protocols[0].name = Self.protocolName
        protocols[0].callback = loopCallback
        protocols[0].rx_buffer_size = receiveBytes
        // Otherwise a write is cut at `receiveBytes`, and the rest copied.
        protocols[0].tx_packet_size = 1024 * 1024
        validity = .allocate(capacity: 1)
        validity.initialize(to: lws_retry_bo_t())
        if let idle {
            validity.pointee.secs_since_valid_ping = UInt16(clamping: idle.ping.wholeSeconds)
            validity.pointee.secs_since_valid_hangup = UInt16(clamping: idle.close.wholeSeconds)
        }
        events = Unmanaged.passUnretained(self).toOpaque()
    }

    /// Where the context's events go.
    func route(_ handler: @escaping (LoopEvent) -> Int32) { self.handler = handler }

    func keep(_ text: String) -> UnsafePointer<CChar>? {
        guard let copy = strdup(text) else { return nil }
        strings.append(copy)
        return UnsafePointer(copy)
    }

    deinit { free() }

    /// After the context. Further calls do nothing.
    func free() {
        guard events != nil else { return }
        events = nil
        handler = nil
        for text in strings { CWebSockets.free(text) }
        validity.deallocate()
        protocols.deallocate()
    }

    fileprivate func handle(_ event: LoopEvent) -> Int32 { handler?(event) ?? 0 }
}

/// Every event of every loop.
private let loopCallback:
    @convention(c) (
        OpaquePointer?, lws_callback_reasons, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, Int
    ) -> Int32 = { wsi, reason, user, bytes, count in
        guard let wsi, let context = lws_get_context(wsi), let events = lws_context_user(context) else {
            return 0
        }
        let memory = Unmanaged<LoopMemory>.fromOpaque(events).takeUnretainedValue()
        switch reason {
        case LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS,
            LWS_CALLBACK_OPENSSL_LOAD_EXTRA_CLIENT_VERIFY_CERTS:
            if let user { cws_tls_prepare(OpaquePointer(user)) }
            return 0
        default:
            return memory.handle(LoopEvent(wire: Wire(wsi: wsi), reason: reason, bytes: bytes, count: count))
        }
    }
