import CWebSockets
import Foundation
import Synchronization

/// One libwebsockets context and the thread that serves it.
///
/// A context belongs to one thread. Other threads hand it work with `perform` and `schedule`, and many such calls
/// wake it once. It waits with poll(2), so that each wake costs some 50 ns for each open socket, however idle.
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
    private let name: String
    private let memory: LoopMemory
    private let threadID = Atomic<UInt>(0)
    private let context: OpaquePointer
    /// Until the context is gone.
    private var delegate: (any LoopDelegate)?
    /// What happens now is followed by a look into the inbox before the thread sleeps.
    private var isAwake = false
    private var isStopping = false
    private var whenStopped: (@Sendable () -> Void)?

    /// `configure` sets what libwebsockets wants to know once for all connections.
    init(
        name: String, memory: LoopMemory, delegate: any LoopDelegate,
        _ configure: (inout lws_context_creation_info) -> Void
    ) throws(WebSocketError) {
        self.name = name
        self.memory = memory
        self.delegate = delegate
        cws_silence()
        var info = lws_context_creation_info()
        // Without DO_SSL_GLOBAL_INIT, which only vhosts need: for each context that asks for it libwebsockets changes
        // a process-wide number, and TLS handshakes that run meanwhile in other contexts fail.
        info.options = UInt64(LWS_SERVER_OPTION_EXPLICIT_VHOSTS | LWS_SERVER_OPTION_VALIDATE_UTF8)
        info.pt_serv_buf_size = 32 * 1024
        info.user = memory.events
        configure(&info)
        Self.creation.lock()
        let context = lws_create_context(&info)
        Self.creation.unlock()
        guard let context else { throw .system("cannot create an event loop") }
        self.context = context
        // Unowned: events come only while the context lives, and the loop's thread holds this object until it is gone.
        memory.route { [unowned self] event in handle(event) }
    }

    /// Contexts are created one at a time: libwebsockets sets process-wide state meanwhile.
    private static let creation = NSLock()

    /// Adds an address to listen on, or a set of rules to connect by. Fails with the system's error code.
    func makeVhost(_ configure: (inout lws_context_creation_info) -> Void) -> Result<OpaquePointer, LoopError>
    {
        var info = lws_context_creation_info()
        info.protocols = UnsafePointer(memory.protocols)
        info.retry_and_idle_policy = UnsafePointer(memory.validity)
        info.port = -1  // CONTEXT_PORT_NO_LISTEN
        info.alpn = LoopMemory.http
        // Not empty, the environment's proxy would be used, for local addresses too.
        info.http_proxy_address = LoopMemory.noProxy
        configure(&info)
        var code: Int32 = 0
        guard let vhost = cws_create_vhost(context, &info, &code) else {
            return .failure(LoopError(code: code))
        }
        return .success(vhost)
    }

    /// A copy of `text` that lives as long as the context.
    func keep(_ text: String) -> UnsafePointer<CChar>? { memory.keep(text) }

    struct LoopError: Error { let code: Int32 }

    /// Opens a client's connection, on the loop's thread; nil when that failed at once.
    func connect(_ info: inout lws_client_connect_info) -> Wire? {
        info.context = context
        return lws_client_connect_via_info(&info).map(Wire.init)
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
        if isCurrent && isAwake { return }
        lws_cancel_service(context)
    }

    /// Starts the thread. Call once.
    func start() {
        let thread = Thread { [self] in run() }
        thread.name = name
        thread.start()
    }

    /// Ends the thread after the work already handed in; `then` runs when every connection is closed and freed.
    func stop(then: @escaping @Sendable () -> Void) {
        perform { [self] in
            whenStopped = then
            isStopping = true
        }
    }

    /// Frees the context of a loop that never started.
    func abandon() {
        inbox.withLock { $0.isOpen = false }
        destroy()
    }

    // MARK: The loop's thread

    private func run() {
        threadID.store(UInt(pthread_self()), ordering: .relaxed)
        while true {
            drain()
            if isStopping { break }
            lws_service(context, 0)
        }
        inbox.withLock { inbox in
            inbox.isOpen = false
            inbox.work = []
            inbox.flushes = []
        }
        destroy()
        let then = whenStopped
        // What waits here holds those who hold the loop.
        whenStopped = nil
        then?()
    }

    private func destroy() {
        lws_context_destroy(context)
        memory.free()
        delegate = nil
    }

    private func drain() {
        isAwake = true
        defer { isAwake = false }
        while true {
            let (work, flushes) = inbox.withLock { inbox in
                defer {
                    inbox.work.removeAll()
                    inbox.flushes.removeAll()
                }
                if inbox.work.isEmpty && inbox.flushes.isEmpty { inbox.isWakeIssued = false }
                return (inbox.work, inbox.flushes)
            }
            if work.isEmpty && flushes.isEmpty { return }
            for item in work { item() }
            for connection in flushes { connection.flush() }
        }
    }

    private func handle(_ event: LoopEvent) -> Int32 {
        let wasAwake = isAwake
        // Timers run before the thread sleeps, and their work must wake it; sockets are served afterwards.
        if event.isOfSocket { isAwake = true }
        defer { isAwake = wasAwake }
        return delegate?.handle(event, on: self) ?? 0
    }
}
