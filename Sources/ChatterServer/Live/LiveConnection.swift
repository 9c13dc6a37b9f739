import ChatterModel
import Synchronization

/// The socket below a live connection, or a test's stand-in for one.
public protocol ConnectionSink: Sendable {
    /// Queues one text frame without waiting. False when it is not queued: closed, or the queue is full.
    func send(_ frame: [UInt8]) -> Bool
    /// Bytes queued and not yet handed to the network.
    var queuedBytes: Int { get }
    func close(code: UInt16, reason: String)
    /// Not a client's: a part of the server listens. `chatter_connections` leaves it out.
    var isInternal: Bool { get }
}

extension ConnectionSink {
    public var isInternal: Bool { false }
}

/// One signed-in socket.
public final class LiveConnection: Sendable {
    public let id: ConnectionID
    public let user: ID<User>
    public let device: ID<Device>
    let workspace: ID<Workspace>
    let sink: any ConnectionSink
    private let metrics: Metrics
    private let malformedInARow = Atomic<Int>(0)
    private let isClosing = Atomic<Bool>(false)
    private let expiry: Mutex<Timestamp>

    init(id: ConnectionID, session: Session, sink: any ConnectionSink, metrics: Metrics) {
        self.id = id
        user = session.user
        device = session.device
        workspace = session.workspace
        self.sink = sink
        self.metrics = metrics
        expiry = Mutex(session.expiresAt)
    }

    /// Queues a frame for this connection alone.
    func send(_ frame: ServerFrame) {
        deliver(FrameEncoder.encode(frame), isDroppable: false)
    }

    /// Answers the client's frame `id` with an error.
    func reject(_ error: APIError, id: String?, clientMessageID: ClientMessageID? = nil) {
        let content = FrameError(
            code: error.code.rawValue, message: error.message, clientMessageID: clientMessageID,
            retryAfter: error.retryAfter)
        send(ServerFrame(.error(content), id: id))
    }

    /// Typing and presence give way as soon as half the queue is taken: the next one makes up for them. Anything
    /// else that does not fit closes the connection, and the client resyncs.
    func deliver(_ bytes: [UInt8], isDroppable: Bool) {
        if isDroppable, sink.queuedBytes > LiveLimits.queueBytes / 2 { return }
        if sink.send(bytes) {
            metrics.frameSent()
        } else if !isClosing.exchange(true, ordering: .relaxed) {
            metrics.slowConsumer()
            sink.close(code: CloseCode.slowConsumer.rawValue, reason: "")
        }
    }

    func close(_ code: CloseCode) {
        // What is still sent to it is then not taken for slowness.
        isClosing.store(true, ordering: .relaxed)
        sink.close(code: code.rawValue, reason: "")
    }

    /// Frames in a row that could not be read, this one included.
    func noteMalformed() -> Int { malformedInARow.add(1, ordering: .relaxed).newValue }

    func noteWellFormed() { malformedInARow.store(0, ordering: .relaxed) }

    /// Bytes queued and not yet handed to the network.
    var queuedBytes: Int { sink.queuedBytes }

    var expiresAt: Timestamp { expiry.withLock { $0 } }

    /// The device refreshed its tokens: the socket lives as long as the new ones.
    func extend(until end: Timestamp) {
        expiry.withLock { $0 = max($0, end) }
    }
}

enum LiveLimits {
    /// Of one connection's send queue. What answers one `sync.request` must stay well below it, also when every
    /// message is of the largest size: the rest is the client's to page.
    static let queueBytes = 1024 * 1024
    /// Frames that are no JSON of the contract before the socket is closed.
    static let malformedInARow = 10
    /// Sockets and open HTTP connections together.
    static let connections = 20_000
    /// Seconds that a client turned away for load or a restart is asked to wait.
    static let retryAfter = 5
}
