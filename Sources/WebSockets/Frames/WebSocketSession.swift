import Foundation

/// What a session tells its owner, on the loop's thread.
protocol WebSocketSessionDelegate: AnyObject {
    func session(_ session: WebSocketSession, received message: [UInt8], isText: Bool)
    /// The last call.
    func session(_ session: WebSocketSession, closed reason: CloseReason)
}

/// The loop's side of one WebSocket, for either role: frames in and out, pings, and the close handshake.
final class WebSocketSession {
    struct Rules {
        var messageLimit: Int
        /// When a silent peer is pinged and given up; nil for never.
        var idle: (ping: Duration, close: Duration)?
        var close: Duration
        /// For a connection whose send queue is full.
        var overflow: CloseReason
    }

    private enum State: Equatable {
        case open
        /// We end it: what is queued goes first.
        case draining(CloseReason)
        /// We end it: what is queued is dropped.
        case dropping(CloseReason)
        /// The peer ended it: after what was queued before, its Close frame is owed an answer.
        case answering(CloseReason)
        /// Our Close frame is out and the peer's is awaited.
        case waiting(CloseReason)
        /// Both Close frames have been seen.
        case done(CloseReason)
    }

    let connection: WebSocketConnection
    private let role: Role
    private let rules: Rules
    private unowned let socket: Socket
    private weak var delegate: (any WebSocketSessionDelegate)?
    private var parser: FrameParser
    private var state = State.open
    private var isEnded = false
    private var isOutputEnded = false
    /// The peer broke the protocol, so that the end of its frames can no longer be found.
    private var isBroken = false

    private var writer: FrameWriter
    private var liveness: Liveness?
    private var closeDeadline: ContinuousClock.Instant?

    init(
        connection: WebSocketConnection, role: Role, rules: Rules, socket: Socket,
        delegate: any WebSocketSessionDelegate
    ) {
        self.connection = connection
        self.role = role
        self.rules = rules
        self.socket = socket
        self.delegate = delegate
        parser = FrameParser(role: role, messageLimit: rules.messageLimit)
        writer = FrameWriter(role: role)
        if let idle = rules.idle {
            liveness = Liveness(idlePing: idle.ping, idleClose: idle.close, now: .now)
            watch(min(idle.ping, idle.close))
        }
        connection.session = self
    }

    // MARK: In

    func received(_ bytes: UnsafeMutableRawBufferPointer) {
        liveness?.sign(.now)
        var input = bytes
        do throws(ProtocolViolation) {
            while !isDeaf, let event = try parser.next(&input) { handle(event) }
        } catch {
            violate(error.close)
        }
    }

    /// What the peer sends after its Close frame, or after breaking the protocol, is read and dropped.
    private var isDeaf: Bool {
        switch state {
        case .open, .draining, .dropping, .waiting: isBroken
        case .answering, .done: true
        }
    }

    private func handle(_ event: FrameParser.Event) {
        switch event {
        case .message(let message, let isText):
            switch state {
            case .open, .draining: delegate?.session(self, received: message, isText: isText)
            case .dropping, .answering, .waiting, .done: break
            }
        case .ping(let payload):
            writer.owePong(payload)
        case .pong:
            break
        case .close(let reason):
            peerClosed(reason)
        }
    }

    private func peerClosed(_ reason: CloseReason) {
        switch state {
        case .open, .draining, .dropping:
            connection.close(code: reason.code, reason: reason.reason)
            state = .answering(reason)
        case .waiting(let ours): state = .done(ours)
        case .answering, .done: break
        }
        startCloseTimer()
    }

    /// The peer broke the protocol: it is told, and nothing more is understood from it.
    private func violate(_ reason: CloseReason) {
        isBroken = true
        peerClosed(reason)
    }

    // MARK: Out

    /// Something changed in the outbox. The phase is looked at even when the socket takes nothing.
    func flush() {
        let phase = connection.beginFlush()
        if state == .open {
            switch phase {
            case .open, .closed: break
            case .closing(let reason):
                state = .draining(reason)
                startCloseTimer()
            case .overflowed:
                state = .dropping(rules.overflow)
                dropMessages()
                startCloseTimer()
            }
        }
        socket.flush()
    }

    func fill(_ buffer: inout WriteBuffer) {
        var sent = 0
        defer { if sent > 0 { connection.sent(sent) } }
        while true {
            sent += writer.continueMessage(&buffer)
            guard writer.isBetweenFrames, buffer.room >= FrameWriter.roomForControl else { return }
            switch state {
            case .open:
                writer.writeControl(&buffer)
                guard beginMessage(&buffer) else { return }
            case .draining(let reason):
                writer.writeControl(&buffer)
                guard beginMessage(&buffer) else {
                    state = .waiting(reason)
                    return writer.writeClose(reason, &buffer)
                }
            case .answering(let reason):
                guard beginMessage(&buffer) else {
                    state = .done(reason)
                    return writer.writeClose(reason, &buffer)
                }
            case .dropping(let reason):
                dropMessages()
                state = .waiting(reason)
                return writer.writeClose(reason, &buffer)
            case .waiting, .done:
                return
            }
        }
    }

    private func beginMessage(_ buffer: inout WriteBuffer) -> Bool {
        if !writer.hasMessages { writer.queue(connection.take()) }
        return writer.beginMessage(&buffer)
    }

    private func dropMessages() {
        _ = connection.take()
        writer.dropMessages()
    }

    // MARK: Time and the end

    /// All that was filled in is in the kernel's hands.
    func drained() {
        guard case .done = state, !isOutputEnded else { return }
        isOutputEnded = true
        socket.endOutput()
        // The server ends the connection and the client waits for that. A peer that broke the protocol may be
        // in the middle of sending; closing now would reset the connection before it reads why.
        if role == .server, !isBroken { socket.close() }
    }

    func progressed() {
        liveness?.sign(.now)
        // The peer reads: what is left of the queue may take as long as it keeps reading.
        if case .draining = state { startCloseTimer() }
    }

    func tick(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        if let closeDeadline {
            guard now < closeDeadline else {
                socket.close()
                return nil
            }
            return closeDeadline
        }
        switch liveness?.look(now) {
        case nil:
            return nil
        case .fine(let until):
            return until
        case .ping(let until):
            writer.owePing()
            socket.flush()
            return until
        case .dead:
            socket.close()
            return nil
        }
    }

    private func startCloseTimer() {
        closeDeadline = .now + rules.close
        watch(rules.close)
    }

    private func watch(_ delay: Duration) { socket.watch(until: .now + delay) }

    func ended() {
        guard !isEnded else { return }
        isEnded = true
        connection.end()
        connection.session = nil
        let reason =
            switch state {
            case .open, .draining: CloseReason.abnormal
            case .dropping(let reason), .answering(let reason), .waiting(let reason), .done(let reason):
                reason
            }
        delegate?.session(self, closed: reason)
    }
}
