import CWebSockets
import Foundation

/// What a listener's connections share; touched on the loop's thread, except what never changes.
final class ListenerCore: @unchecked Sendable {
    // Unchecked: the `let`s are Sendable; the `var`s are touched on the loop's thread only.
    let configuration: ListenerConfiguration
    let handler: any ListenerHandler
    let loop: EventLoop
    private let tls: TLSContext?

    private(set) var isStopping = false
    private var acceptors: [Acceptor] = []
    private var connections: [ObjectIdentifier: ServerConnection] = [:]
    /// Those among them that are served; the others are told that there is no room.
    private var servedCount = 0
    private var lastDate = HTTPDate()
    private var whenEmpty: (() -> Void)?

    init(
        _ configuration: ListenerConfiguration, handler: any ListenerHandler, loop: EventLoop,
        tls: TLSContext?
    ) {
        self.configuration = configuration
        self.handler = handler
        self.loop = loop
        self.tls = tls
    }

    var sessionRules: WebSocketSession.Rules {
        WebSocketSession.Rules(
            messageLimit: configuration.limits.frameBytes,
            idle: (configuration.timeouts.idlePing, configuration.timeouts.idleClose),
            close: configuration.timeouts.close,
            overflow: CloseReason(code: configuration.slowConsumerCode, reason: "reading too slowly"))
    }

    func date() -> String { lastDate.now() }

    // MARK: Accepting

    func listen(on descriptors: [Int32]) {
        for descriptor in descriptors {
            let acceptor = Acceptor(listener: self)
            let socket = Socket(descriptor: descriptor, loop: loop, delegate: acceptor)
            acceptor.socket = socket
            acceptors.append(acceptor)
            _ = loop.adoptListening(socket)  // the loop is empty: there is room
        }
    }

    /// How many connections above the limit are still told why they are refused.
    private static let refusalRoom = 256

    func accepted(_ descriptor: Int32, from address: SocketAddress) {
        let limit = configuration.limits.connections
        guard !isStopping, connections.count < limit + Self.refusalRoom, let session = newTLSSession() else {
            close(descriptor)
            return
        }
        setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        let connection = ServerConnection(
            listener: self, remoteAddress: address.numeric, isOverLimit: servedCount >= limit)
        if !connection.isOverLimit { servedCount += 1 }
        let socket = Socket(descriptor: descriptor, loop: loop, tls: session.tls, delegate: connection)
        connection.attach(socket)
        connections[ObjectIdentifier(connection)] = connection
        guard loop.adopt(socket) else { return socket.closed() }
        socket.open()
    }

    /// Nil when there is no memory for one; a value without a session when TLS is off.
    private func newTLSSession() -> (tls: TLSSession?, Void)? {
        guard let tls else { return (nil, ()) }
        do throws(WebSocketError) {
            return (try TLSSession(tls, host: nil), ())
        } catch {
            return nil
        }
    }

    func forget(_ connection: ServerConnection) {
        guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        if !connection.isOverLimit { servedCount -= 1 }
        if isStopping, connections.isEmpty { finishStopping() }
    }

    // MARK: Stopping

    /// Accepts no more and ends each connection in its own time; `then` runs when the last one is gone.
    func stop(_ reason: CloseReason, then: @escaping () -> Void) {
        isStopping = true
        whenEmpty = then
        for acceptor in acceptors { acceptor.socket?.close() }
        acceptors = []
        for connection in connections.values { connection.stop(reason) }
        if connections.isEmpty { finishStopping() }
    }

    private func finishStopping() {
        let then = whenEmpty
        whenEmpty = nil
        then?()
    }

    func abort() {
        for connection in connections.values { connection.abort() }
    }
}

/// A listening socket's ear.
private final class Acceptor: SocketDelegate {
    private unowned let listener: ListenerCore
    var socket: Socket?
    /// Given up when descriptors run out, so that a connection can be accepted and closed instead of waiting
    /// unseen while the loop spins.
    private var spare = open("/dev/null", O_RDONLY | O_CLOEXEC)

    init(listener: ListenerCore) { self.listener = listener }

    func socketAcceptReady() {
        guard let socket else { return }
        // A burst is taken in portions, so that open connections are served in between.
        for _ in 0..<64 {
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let (descriptor, address) = withUnsafeMutablePointer(to: &storage) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    let descriptor = cws_accept(socket.descriptor, pointer, &length)
                    return (descriptor, SocketAddress(pointer, length: length))
                }
            }
            if descriptor >= 0 {
                listener.accepted(descriptor, from: address)
            } else if errno == EMFILE || errno == ENFILE {
                return refuseOne(socket)
            } else if errno != ECONNABORTED && errno != EINTR {
                return
            }
        }
    }

    private func refuseOne(_ socket: Socket) {
        close(spare)
        let descriptor = accept(socket.descriptor, nil, nil)
        if descriptor >= 0 { close(descriptor) }
        spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
    }

    func socketClosed(_ failure: WebSocketError?) {
        socket = nil
        close(spare)
    }
}
