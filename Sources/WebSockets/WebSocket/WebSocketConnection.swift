import Synchronization

/// One open WebSocket, to send on from any thread.
public final class WebSocketConnection: Sendable, Hashable {
    /// Unique among all connections of this process.
    public let id: UInt64
    /// The peer's numeric address, without the port.
    public let remoteAddress: String

    private static let lastID = Atomic<UInt64>(0)

    private let loop: EventLoop
    private let outbox: Mutex<Outbox>
    /// The loop's side of this connection, from open to closed.
    nonisolated(unsafe) weak var session: WebSocketSession?  // Unsafe: touched on the loop's thread only.

    init(remoteAddress: String, loop: EventLoop, queueBytes: Int) {
        id = Self.lastID.add(1, ordering: .relaxed).newValue
        self.remoteAddress = remoteAddress
        self.loop = loop
        outbox = Mutex(Outbox(capacity: queueBytes))
    }

    /// Queues one text message; messages go out in the order of the calls.
    ///
    /// False means that it will not be sent: the connection is closed or closing, or its queue is full, and
    /// then the connection is closed with the slow consumer's code.
    @discardableResult
    public func send(_ text: [UInt8]) -> Bool { send(SharedBytes(text)) }

    /// As `send(_: [UInt8])`, with bytes that many connections share.
    @discardableResult
    public func send(_ text: SharedBytes) -> Bool { enqueue(text) == .queued }

    /// Bytes queued and not yet written. What the kernel did not take of one message more is not counted.
    public var queuedBytes: Int { outbox.withLock { $0.queuedBytes } }

    /// Sends what is queued, then a Close frame, and ends the connection when the peer has answered or its
    /// time is up. A second call does nothing.
    public func close(code: UInt16, reason: String) {
        change { outbox in outbox.close(CloseReason(code: code, reason: reason)) }
    }

    func enqueue(_ message: SharedBytes) -> Outbox.Admission {
        var admission = Outbox.Admission.closed
        change { outbox in
            admission = outbox.append(message)
            return admission != .closed
        }
        return admission
    }

    /// Changes the outbox and, when `body` says that something changed, has the loop look at it.
    private func change(_ body: (inout Outbox) -> Bool) {
        let mustSchedule = outbox.withLock { body(&$0) && $0.needsSchedule() }
        if mustSchedule { loop.schedule(self) }
    }

    // MARK: The loop's thread

    func flush() { session?.flush() }

    var phase: Outbox.Phase { outbox.withLock { $0.phase } }

    func beginFlush() -> (Outbox.Phase, [SharedBytes]) {
        outbox.withLock { ($0.beginFlush(), $0.take()) }
    }

    func sent(_ count: Int) { outbox.withLock { $0.sent(count) } }

    func end() { outbox.withLock { $0.end() } }

    public static func == (a: WebSocketConnection, b: WebSocketConnection) -> Bool { a === b }
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
