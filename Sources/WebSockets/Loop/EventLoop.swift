import CWebSockets
import Foundation
import Synchronization

/// One thread that waits on many sockets, through one libwebsockets context.
///
/// Everything that touches a socket runs on this thread; other threads hand it work with `perform` and
/// `schedule`, and many such calls wake it once. libwebsockets waits with poll(2), so that each wake costs some
/// 50 ns for each open socket, however idle.
final class EventLoop: @unchecked Sendable {
    // Unchecked: the inbox is locked; everything else is set before the thread starts, or is touched on the
    // loop's thread only.

    private struct Inbox {
        var work: [@Sendable () -> Void] = []
        var flushes: [WebSocketConnection] = []
        var isWakeIssued = false
        var isOpen = true
    }

    private let inbox = Mutex(Inbox())
    private let context: OpaquePointer
    private let vhost: OpaquePointer
    private let protocols: UnsafeMutablePointer<lws_protocols>
    private let threadID = Atomic<UInt>(0)
    private let name: String
    /// True while sockets are served, after which the inbox is drained anyway and needs no wake.
    private var isServing = false
    private var isStopping = false
    private var whenStopped: (@Sendable () -> Void)?

    private(set) var sockets: [Socket] = []
    private var delayed: [(at: ContinuousClock.Instant, work: @Sendable () -> Void)] = []
    private let sweep: SweepTimer

    /// Where frames are gathered before one write; shared by all sockets of the loop.
    let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
    /// Where TLS puts plaintext; shared by all sockets of the loop.
    let plaintext = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 * 1024, alignment: 16)

    init(name: String) throws(WebSocketError) {
        self.name = name
        protocols = LoopProtocol.make()
        guard let (context, vhost) = LoopProtocol.makeContext(protocols) else {
            LoopProtocol.free(protocols)
            throw .system("cannot create an event loop")
        }
        self.context = context
        self.vhost = vhost
        sweep = SweepTimer(context: context)
        sweep.fire = { [unowned self] in self.sweepDeadlines() }
    }

    deinit {
        scratch.deallocate()
        plaintext.deallocate()
        LoopProtocol.free(protocols)
    }

    // MARK: Any thread

    /// Whether the caller runs on the loop's thread.
    var isCurrent: Bool { threadID.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// Runs `work` on the loop's thread; dropped when the loop has stopped.
    func perform(_ work: @escaping @Sendable () -> Void) {
        inbox.withLock { inbox in
            guard inbox.isOpen else { return }
            inbox.work.append(work)
            wake(&inbox)
        }
    }

    /// Has `connection` write out its queue.
    func schedule(_ connection: WebSocketConnection) {
        inbox.withLock { inbox in
            guard inbox.isOpen else { return }
            inbox.flushes.append(connection)
            wake(&inbox)
        }
    }

    private func wake(_ inbox: inout Inbox) {
        guard !inbox.isWakeIssued else { return }
        inbox.isWakeIssued = true
        // The loop drains its inbox right after serving sockets; a call from there needs no system call.
        if isCurrent && isServing { return }
        lws_cancel_service(context)
    }

    /// Starts the thread. Call once.
    func start() {
        let thread = Thread { [self] in run() }
        thread.name = name
        thread.start()
    }

    /// Ends the thread after the work already handed in; `then` runs when every socket is closed and freed.
    func stop(then: @escaping @Sendable () -> Void) {
        perform { [self] in
            whenStopped = then
            isStopping = true
        }
    }

    /// Frees the context of a loop that never started.
    func abandon() {
        inbox.withLock { $0.isOpen = false }
        lws_context_destroy(context)
    }

    // MARK: The loop's thread

    private func run() {
        threadID.store(UInt(pthread_self()), ordering: .relaxed)
        while true {
            drain()
            if isStopping { break }
            lws_service(context, 0)
        }
        sweep.cancel()
        let left = inbox.withLock { inbox in
            inbox.isOpen = false
            defer {
                inbox.work = []
                inbox.flushes = []
            }
            return inbox.work
        }
        for work in left { work() }
        lws_context_destroy(context)
        let then = whenStopped
        // What waits here holds those who hold the loop.
        whenStopped = nil
        delayed = []
        then?()
    }

    private func drain() {
        let (work, flushes) = inbox.withLock { inbox in
            defer {
                inbox.work.removeAll()
                inbox.flushes.removeAll()
                inbox.isWakeIssued = false
            }
            return (inbox.work, inbox.flushes)
        }
        for item in work { item() }
        for connection in flushes { connection.flush() }
    }

    /// Runs a socket callback during which new work needs no wake.
    func serving(_ body: () -> Void) {
        isServing = true
        body()
        isServing = false
    }

    // MARK: Sockets and deadlines

    /// Hands a connected, non-blocking descriptor to the loop, which owns it from here and closes it.
    /// Returns false when the loop has no room; the descriptor is closed then too.
    func adopt(_ socket: Socket) -> Bool {
        var description = lws_adopt_desc_t()
        description.vh = vhost
        description.type = LWS_ADOPT_SOCKET
        description.fd.sockfd = socket.descriptor
        description.vh_prot_name = LoopProtocol.name
        return adopt(socket, &description)
    }

    /// Hands a listening descriptor to the loop; `Socket.delegate` hears when it is ready to accept.
    func adoptListening(_ socket: Socket) -> Bool {
        var description = lws_adopt_desc_t()
        description.vh = vhost
        description.type = LWS_ADOPT_RAW_FILE_DESC
        description.fd.filefd = socket.descriptor
        description.vh_prot_name = LoopProtocol.name
        return adopt(socket, &description)
    }

    private func adopt(_ socket: Socket, _ description: inout lws_adopt_desc_t) -> Bool {
        let retained = Unmanaged.passRetained(socket)
        description.opaque = retained.toOpaque()
        guard let wsi = lws_adopt_descriptor_vhost_via_info(&description) else {
            // libwebsockets tells of the destruction only if it got as far as creating the connection.
            if !socket.isReleased { retained.release() }
            return false
        }
        socket.attach(wsi)
        socket.slot = sockets.count
        sockets.append(socket)
        return true
    }

    func forget(_ socket: Socket) {
        let last = sockets.removeLast()
        guard last !== socket else { return }
        last.slot = socket.slot
        sockets[socket.slot] = last
    }

    /// Runs `work` once `delay` has passed. On the loop's thread.
    func perform(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
        delayed.append((.now + delay, work))
        watch(until: .now + delay)
    }

    /// Makes sure that deadlines are looked at no later than `instant`.
    func watch(until instant: ContinuousClock.Instant) { sweep.arm(at: instant) }

    private func sweepDeadlines() {
        let now = ContinuousClock.now
        var next: ContinuousClock.Instant?
        // Backwards, because a socket that closes here makes room with the last one, which was looked at.
        for index in sockets.indices.reversed() where index < sockets.count {
            guard let deadline = sockets[index].tick(now) else { continue }
            next = min(next ?? deadline, deadline)
        }
        let due = delayed.filter { $0.at <= now }
        delayed.removeAll { $0.at <= now }
        for item in due { item.work() }
        for item in delayed { next = min(next ?? item.at, item.at) }
        if let next { sweep.arm(at: next) }
    }
}
