import CWebSockets

/// One call of libwebsockets' callback.
struct LoopEvent {
    let wire: Wire
    let reason: lws_callback_reasons
    let bytes: UnsafeMutableRawPointer?
    let count: Int

    var payload: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count)
    }

    /// Whether a readable or writable socket caused it; never a timer.
    var isOfSocket: Bool {
        switch reason {
        case LWS_CALLBACK_HTTP, LWS_CALLBACK_HTTP_BODY, LWS_CALLBACK_HTTP_BODY_COMPLETION,
            LWS_CALLBACK_HTTP_WRITEABLE, LWS_CALLBACK_HTTP_CONFIRM_UPGRADE, LWS_CALLBACK_ESTABLISHED,
            LWS_CALLBACK_RECEIVE, LWS_CALLBACK_SERVER_WRITEABLE, LWS_CALLBACK_WS_PEER_INITIATED_CLOSE,
            LWS_CALLBACK_CLIENT_ESTABLISHED, LWS_CALLBACK_CLIENT_RECEIVE, LWS_CALLBACK_CLIENT_WRITEABLE:
            true
        default: false
        }
    }
}

/// Who hears of a loop's connections, on the loop's thread.
protocol LoopDelegate: AnyObject, Sendable {
    /// Anything but 0 ends the connection.
    func handle(_ event: LoopEvent, on loop: EventLoop) -> Int32
}

/// One connection inside libwebsockets: usable on the loop's thread until its `LWS_CALLBACK_WSI_DESTROY`.
struct Wire: Equatable {
    let wsi: OpaquePointer

    /// Has the connection keep `owner`, until `releaseOwner`.
    func setOwner(_ owner: some AnyObject) {
        lws_set_opaque_user_data(wsi, Unmanaged.passRetained(owner).toOpaque())
    }

    func owner<Owner: AnyObject>(_ type: Owner.Type) -> Owner? {
        lws_get_opaque_user_data(wsi).map { Unmanaged<Owner>.fromOpaque($0).takeUnretainedValue() }
    }

    func releaseOwner<Owner: AnyObject>(_ type: Owner.Type) {
        guard let owner = lws_get_opaque_user_data(wsi) else { return }
        lws_set_opaque_user_data(wsi, nil)
        Unmanaged<Owner>.fromOpaque(owner).release()
    }

    /// Asks for one WRITEABLE callback.
    func requestWritable() { lws_callback_on_writable(wsi) }

    /// libwebsockets holds what the kernel did not take of the last write. WRITEABLE comes when that is out.
    var isHoldingOutput: Bool { lws_partial_buffered(wsi) != 0 }

    /// Whether the peer's bytes are read, or left to the kernel, which then slows the peer down.
    func setReading(_ isReading: Bool) { lws_rx_flow_control(wsi, isReading ? 1 : 0) }

    /// Asks for one TIMER callback instead of one asked for before. It cannot be cancelled: libwebsockets 4.1.6 calls
    /// at once instead.
    func setTimer(_ delay: Duration) { lws_set_timer_usecs(wsi, delay.microseconds) }

    /// Whether, after an answer, something of the next request has been read already: only then does libwebsockets
    /// keep a table for headers, and only with one does this call write anything.
    var hasReadAhead: Bool {
        var mark: CChar = 1
        lws_hdr_custom_copy(wsi, &mark, 1, ":", 1)
        return mark == 0
    }

    /// Ends libwebsockets' own timeout.
    func clearTimeout() { lws_set_timeout(wsi, NO_PENDING_TIMEOUT, 0) }

    /// Closes the connection on the loop's next turn, whatever is unsent.
    func kill() { lws_set_timeout(wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC) }

    /// The peer's numeric address; an IPv4 peer of a dual-stack socket reads as IPv4.
    var remoteAddress: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            buffer.initialize(repeating: 0)
            guard let start = buffer.baseAddress else { return "" }
            lws_get_peer_simple(wsi, start, 64)
            let text = String(cString: start)
            return text.hasPrefix("::ffff:") && text.contains(".") ? String(text.dropFirst(7)) : text
        }
    }
}

extension Duration {
    var microseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }

    /// Rounded up, at least 1: libwebsockets counts most times in seconds, and takes 0 for its own default.
    var wholeSeconds: Int { max(1, Int((microseconds + 999_999) / 1_000_000)) }
}
