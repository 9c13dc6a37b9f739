import Foundation

/// What the client's side of a connection tells its owner, on the loop's thread.
protocol ClientConnectionDelegate: AnyObject, Sendable {
    func opened(_ connection: WebSocketConnection)
    /// Instead of `opened`; the last call.
    func failed(_ error: WebSocketError)
    func received(_ message: [UInt8])
    /// After `opened`; the last call.
    func closed(_ reason: CloseReason)
}

/// The loop's side of one client connection: TLS, the handshake, then the WebSocket.
final class ClientConnection: SocketDelegate, WebSocketSessionDelegate {
    private enum State {
        case connecting
        case handshaking(ResponseParser)
        case webSocket(WebSocketSession)
        case ended
    }

    private let url: WebSocketURL
    private let configuration: WebSocketClientConfiguration
    private let loop: EventLoop
    private let remoteAddress: String
    private let deadline: ContinuousClock.Instant
    private let key = WebSocketHandshake.newKey()
    private var delegate: (any ClientConnectionDelegate)?
    private var socket: Socket?
    private var state = State.connecting
    private var request: [UInt8] = []

    init(
        _ url: WebSocketURL, _ configuration: WebSocketClientConfiguration, loop: EventLoop,
        remoteAddress: String, deadline: ContinuousClock.Instant, delegate: any ClientConnectionDelegate
    ) {
        self.url = url
        self.configuration = configuration
        self.loop = loop
        self.remoteAddress = remoteAddress
        self.deadline = deadline
        self.delegate = delegate
    }

    func attach(_ socket: Socket) {
        self.socket = socket
        socket.watch(until: deadline)
    }

    func cancel() { fail(.cancelled) }

    func setReading(_ isReading: Bool) { socket?.setReading(isReading) }

    func socketOpened() {
        guard case .connecting = state else { return }
        state = .handshaking(ResponseParser(limits: configuration.limits))
        var head = "GET \(url.target) HTTP/1.1\r\nHost: \(url.authority)\r\n"
        head += "Upgrade: websocket\r\nConnection: Upgrade\r\n"
        head += "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: \(key)\r\n"
        for (name, value) in configuration.headers { head += "\(name): \(value)\r\n" }
        request = Array((head + "\r\n").utf8)
        socket?.flush()
    }

    func socketReceived(_ bytes: UnsafeMutableRawBufferPointer) {
        switch state {
        case .handshaking(var parser):
            state = .connecting  // so that the parser grows in place
            parser.append(UnsafeRawBufferPointer(bytes))
            let event = parser.next()
            state = .handshaking(parser)
            handle(event)
        case .webSocket(let session):
            session.received(bytes)
        case .connecting, .ended:
            break
        }
    }

    private func handle(_ event: ResponseParser.Event) {
        switch event {
        case .incomplete:
            break
        case .malformed(let why):
            fail(.badHandshake(why))
        case .refused(let status, let headers, let body):
            fail(.refused(status: status, headers: headers, body: body))
        case .switched(let headers):
            guard headers["upgrade"]?.lowercased() == "websocket",
                headers["connection"]?.lowercased().contains("upgrade") == true,
                headers["sec-websocket-accept"] == WebSocketHandshake.acceptance(of: key),
                headers["sec-websocket-extensions"] == nil, headers["sec-websocket-protocol"] == nil
            else { return fail(.badHandshake("its acceptance does not fit")) }
            open()
        }
    }

    private func open() {
        guard let socket, case .handshaking(var parser) = state else { return }
        let connection = WebSocketConnection(
            remoteAddress: remoteAddress, loop: loop, queueBytes: configuration.limits.queueBytes)
        let session = WebSocketSession(
            connection: connection, role: .client,
            rules: WebSocketSession.Rules(
                messageLimit: configuration.limits.frameBytes, idle: nil, close: configuration.closeTimeout,
                overflow: CloseReason(code: 1001, reason: "queue full")),
            socket: socket, delegate: self)
        var rest = parser.takeRest()
        state = .webSocket(session)
        delegate?.opened(connection)
        rest.withUnsafeMutableBytes { bytes in
            if !bytes.isEmpty { session.received(bytes) }
        }
    }

    func socketFill(_ buffer: inout WriteBuffer) {
        if !request.isEmpty {
            let taken = request.withUnsafeBytes { buffer.append($0) }
            request.removeFirst(taken)
            guard request.isEmpty else { return }
        }
        if case .webSocket(let session) = state { session.fill(&buffer) }
    }

    func socketDrained() {
        if case .webSocket(let session) = state { session.drained() }
    }

    func socketProgressed() {
        if case .webSocket(let session) = state { session.progressed() }
    }

    func socketTick(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        if case .webSocket(let session) = state { return session.tick(now) }
        guard now >= deadline else { return deadline }
        fail(.timedOut(url.host))
        return nil
    }

    func session(_ session: WebSocketSession, received message: [UInt8], isText: Bool) {
        delegate?.received(message)
    }

    func session(_ session: WebSocketSession, closed reason: CloseReason) {
        delegate?.closed(reason)
        delegate = nil
    }

    private func fail(_ error: WebSocketError) {
        if case .webSocket = state { return }
        state = .ended
        delegate?.failed(error)
        delegate = nil
        socket?.close()
    }

    func socketClosed(_ failure: WebSocketError?) {
        socket = nil
        switch state {
        case .webSocket(let session):
            state = .ended
            session.ended()
        case .handshaking(let parser):
            if let refusal = parser.refusedSoFar() {
                handle(refusal)
            } else {
                fail(failure ?? .unreachable("\(url.host) ended the connection"))
            }
        case .connecting:
            fail(failure ?? .unreachable("\(url.host) ended the connection"))
        case .ended:
            break
        }
    }
}
