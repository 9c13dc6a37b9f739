import CWebSockets

/// What a session tells its owner, on the loop's thread.
protocol WebSocketSessionDelegate: AnyObject {
    func session(_ session: WebSocketSession, received message: [UInt8], isText: Bool)
    /// The last call.
    func session(_ session: WebSocketSession, closed reason: CloseReason)
}

/// The loop's side of one WebSocket, for either role: whole messages in, the send queue out, one end.
///
/// Each method answers libwebsockets' callback of its name: non-zero ends the connection, with a Close frame if one
/// was prepared.
final class WebSocketSession {
    struct Rules {
        var messageLimit: Int
        /// How long a peer may take to read what is left, and to answer a Close frame.
        var close: Duration
        /// For a connection whose send queue is full.
        var overflow: CloseReason
    }

    let connection: WebSocketConnection
    private let wire: Wire
    private let rules: Rules
    private weak var delegate: (any WebSocketSessionDelegate)?
    private var message: [UInt8] = []
    private var sending: ArraySlice<SharedBytes> = []
    /// Why it ends, once that is known: of the first Close frame prepared or received.
    private var reason: CloseReason?
    /// We end it, after what is in `sending`.
    private var isClosing = false
    /// What arrives is dropped.
    private var isDeaf = false
    private var isTimed = false
    private var isEnded = false

    init(
        connection: WebSocketConnection, wire: Wire, rules: Rules, delegate: any WebSocketSessionDelegate
    ) {
        self.connection = connection
        self.wire = wire
        self.rules = rules
        self.delegate = delegate
        connection.session = self
    }

    // MARK: In

    func receive(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        guard !isDeaf else { return 0 }
        guard message.count + bytes.count + lws_remaining_packet_payload(wire.wsi) <= rules.messageLimit
        else {
            message = []
            isDeaf = true
            breakOff(.tooLarge)
            return 0
        }
        message.append(contentsOf: bytes)
        guard lws_is_final_fragment(wire.wsi) != 0 else { return 0 }
        let whole = message
        message = []
        delegate?.session(self, received: whole, isText: lws_frame_is_binary(wire.wsi) == 0)
        return 0
    }

    func peerCloses(_ payload: UnsafeRawBufferPointer) -> Int32 {
        if reason == nil { reason = CloseReason(payload: payload) }
        sending = []
        connection.end()
        return 0
    }

    // MARK: Out

    /// The connection's outbox changed.
    func flush() {
        guard !isEnded else { return }
        if !write() { wire.kill() }
    }

    func writable() -> Int32 {
        guard write() else { return -1 }
        guard isClosing, sending.isEmpty, !wire.isHoldingOutput, !isClosePrepared else { return 0 }
        return sendClose()
    }

    /// How much is written before other connections have their turn, in bytes.
    private static let turn = 256 * 1024

    /// False means that the connection is broken.
    private func write() -> Bool {
        guard !isClosePrepared, takeOver() else { return true }
        var written = 0
        while written < Self.turn, !wire.isHoldingOutput, let next = sending.popFirst() {
            guard next.write(to: wire) else { return false }
            connection.sent(next.count)
            written += next.count
        }
        if isClosing && written > 0 { startTimer() }
        if isClosing || !sending.isEmpty || wire.isHoldingOutput { wire.requestWritable() }
        return true
    }

    /// A Close frame was prepared, here or by libwebsockets itself. WRITEABLE comes even so.
    private var isClosePrepared: Bool { lws_get_close_length(wire.wsi) > 0 }

    /// Takes what is queued; false when nothing may be written any more.
    private func takeOver() -> Bool {
        let (phase, messages) = connection.beginFlush()
        if isClosing { return true }
        switch phase {
        case .open: break
        case .closing(let reason): startClosing(reason)
        case .overflowed:
            breakOff(rules.overflow)
            return true
        case .closed: return false
        }
        if sending.isEmpty { sending = messages[...] } else { sending.append(contentsOf: messages) }
        return true
    }

    /// Ends it without what is queued.
    private func breakOff(_ reason: CloseReason) {
        sending = []
        connection.end()
        startClosing(reason)
    }

    private func startClosing(_ reason: CloseReason) {
        if self.reason == nil { self.reason = reason }
        isClosing = true
        startTimer()
        wire.requestWritable()
    }

    private func sendClose() -> Int32 {
        let reason = reason ?? .abnormal
        var bytes = reason.reasonBytes
        lws_close_reason(wire.wsi, lws_close_status(rawValue: UInt32(reason.code)), &bytes, bytes.count)
        return -1
    }

    // MARK: The end

    private func startTimer() {
        isTimed = true
        wire.setTimer(rules.close)
    }

    /// The wire's timer: perhaps the peer took too long to let the connection end.
    func timeUp() {
        if isTimed { wire.kill() }
    }

    func end() {
        guard !isEnded else { return }
        isEnded = true
        connection.end()
        delegate?.session(self, closed: reason ?? prepared() ?? .abnormal)
    }

    /// The Close frame that libwebsockets itself prepared, for what broke the protocol.
    private func prepared() -> CloseReason? {
        let count = Int(lws_get_close_length(wire.wsi))
        guard count >= 2, let payload = lws_get_close_payload(wire.wsi) else { return nil }
        return CloseReason(payload: UnsafeRawBufferPointer(start: payload, count: count))
    }
}
