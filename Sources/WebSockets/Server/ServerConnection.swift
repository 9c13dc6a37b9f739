import Foundation

/// The loop's side of one accepted connection: HTTP requests one after the other, then perhaps a WebSocket.
final class ServerConnection: SocketDelegate, WebSocketSessionDelegate, @unchecked Sendable {
    // Unchecked: touched on the loop's thread only; a `PendingReply` carries it through other threads unopened.

    private enum State {
        /// Waiting for a request, or in the middle of one.
        case reading
        /// The handler has the request; what arrives meanwhile waits.
        case answering(Exchange)
        case webSocket(WebSocketSession)
        /// The last answer is on its way; what arrives is dropped.
        case finishing
        /// The last answer is out; the peer has a little time to read it and hang up.
        case lingering
    }

    private struct Exchange {
        let number: Int
        let isHead: Bool
        let isHTTP10: Bool
        let isKeptAlive: Bool
    }

    private let listener: ListenerCore
    private let remoteAddress: String
    /// There is no room for this connection: it is told so and ends.
    let isOverLimit: Bool
    /// From `attach` until the socket has closed.
    private var socket: Socket?
    private var parser: RequestParser
    private var state = State.reading
    private var requestCount = 0
    private var isReadingRequests = false
    /// Answers on their way out.
    private var output: [[UInt8]] = []
    private var outputOffset = 0
    private var deadline: ContinuousClock.Instant

    init(listener: ListenerCore, remoteAddress: String, isOverLimit: Bool) {
        self.listener = listener
        self.remoteAddress = remoteAddress
        self.isOverLimit = isOverLimit
        parser = RequestParser(limits: listener.configuration.limits)
        deadline = .now + listener.configuration.timeouts.request
    }

    func attach(_ socket: Socket) {
        self.socket = socket
        socket.watch(until: deadline)
    }

    private var timeouts: Timeouts { listener.configuration.timeouts }

    // MARK: In

    func socketReceived(_ bytes: UnsafeMutableRawBufferPointer) {
        switch state {
        case .reading:
            if !parser.isMidRequest { set(deadlineIn: timeouts.request) }
            parser.append(UnsafeRawBufferPointer(bytes))
            readRequests()
        case .answering:
            parser.append(UnsafeRawBufferPointer(bytes))
            let limits = listener.configuration.limits
            // The kernel holds back a peer that sends many requests ahead.
            if parser.heldBytes > limits.headerBytes + limits.bodyBytes { socket?.setReading(false) }
        case .webSocket(let session):
            session.received(bytes)
        case .finishing, .lingering:
            break
        }
    }

    /// Takes requests until one must wait for its answer or more bytes are needed.
    private func readRequests() {
        guard !isReadingRequests else { return }
        isReadingRequests = true
        defer { isReadingRequests = false }
        while case .reading = state {
            switch parser.next() {
            case .incomplete:
                return
            case .expectsContinue:
                output.append(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
            case .refused(let status, let why):
                refuse(status, why)
            case .request(let request):
                handle(request)
            }
        }
    }

    private func handle(_ parsed: ParsedRequest) {
        requestCount += 1
        let exchange = Exchange(
            number: requestCount, isHead: parsed.method == "HEAD", isHTTP10: parsed.isHTTP10,
            isKeptAlive: parsed.isKeptAlive)
        state = .answering(exchange)
        guard !isOverLimit, !listener.isStopping else { return refuse(503, "the server is full or stopping") }
        let request = HTTPRequest(
            method: parsed.method, path: parsed.path, query: parsed.query, headers: parsed.headers,
            body: parsed.body, remoteAddress: remoteAddress)
        if parsed.path == listener.configuration.webSocketPath, WebSocketHandshake.isAskedFor(parsed) {
            return upgrade(request, parsed)
        }
        let reply = PendingReply(self, loop: listener.loop, requestNumber: exchange.number)
        listener.handler.respond(to: request) { reply($0) }
    }

    // MARK: Answers

    /// `response` is nil when the handler dropped its reply. Late answers to a gone connection end here.
    func answer(_ response: HTTPResponse?, to requestNumber: Int) {
        guard case .answering(let exchange) = state, exchange.number == requestNumber else { return }
        guard let response else { return refuse(500, "no answer") }
        send(response, exchange)
        readRequests()
        socket?.flush()
    }

    private func send(_ response: HTTPResponse, _ exchange: Exchange, isLast: Bool = false) {
        let isKeptAlive = exchange.isKeptAlive && !isLast && !response.asksToClose && !listener.isStopping
        output.append(
            response.head(isKeptAlive: isKeptAlive, isHTTP10: exchange.isHTTP10, date: listener.date()))
        if response.hasBody, !exchange.isHead { output.append(response.body) }
        if isKeptAlive {
            state = .reading
            socket?.setReading(true)
            // Between requests a connection may rest; within one it may not.
            set(deadlineIn: parser.isMidRequest ? timeouts.request : timeouts.idleClose)
        } else {
            state = .finishing
            set(deadlineIn: timeouts.idleClose)
        }
    }

    /// The listener's own refusal, after which the connection ends.
    private func refuse(_ status: Int, _ why: String) {
        var response = listener.handler.refusal(status: status, why: why)
        if status == 426 { response.addHeader("Sec-WebSocket-Version", "13") }
        if status == 503 { response.addHeader("Retry-After", "5") }
        var exchange = Exchange(number: 0, isHead: false, isHTTP10: false, isKeptAlive: false)
        if case .answering(let current) = state { exchange = current }
        send(response, exchange, isLast: true)
        socket?.flush()
    }

    // MARK: Upgrade

    private func upgrade(_ request: HTTPRequest, _ parsed: ParsedRequest) {
        switch WebSocketHandshake.answer(parsed) {
        case .refuse(let status, let why):
            refuse(status, why)
        case .accept(let acceptance):
            switch listener.handler.upgrade(request) {
            case .reject(let response):
                answer(response, to: requestCount)
            case .accept:
                open(request, acceptance)
            }
        }
    }

    private func open(_ request: HTTPRequest, _ acceptance: String) {
        guard let socket else { return }
        output.append(
            Array(
                """
                HTTP/1.1 101 Switching Protocols\r
                Upgrade: websocket\r
                Connection: Upgrade\r
                Sec-WebSocket-Accept: \(acceptance)\r
                \r\n
                """.utf8))
        let connection = WebSocketConnection(
            remoteAddress: remoteAddress, loop: listener.loop,
            queueBytes: listener.configuration.limits.queueBytes)
        let session = WebSocketSession(
            connection: connection, role: .server, rules: listener.sessionRules, socket: socket,
            delegate: self)
        var rest = parser.takeRest()
        parser = RequestParser(limits: listener.configuration.limits)
        state = .webSocket(session)
        listener.handler.opened(connection, request: request)
        rest.withUnsafeMutableBytes { bytes in
            if !bytes.isEmpty { session.received(bytes) }
        }
    }

    func session(_ session: WebSocketSession, received message: [UInt8], isText: Bool) {
        listener.handler.received(message, isText: isText, on: session.connection)
    }

    func session(_ session: WebSocketSession, closed reason: CloseReason) {
        listener.handler.closed(session.connection, code: reason.code, reason: reason.reason)
    }

    // MARK: Out

    func socketFill(_ buffer: inout WriteBuffer) {
        while let first = output.first {
            let taken = first.withUnsafeBytes {
                buffer.append(UnsafeRawBufferPointer(rebasing: $0[outputOffset...]))
            }
            outputOffset += taken
            guard outputOffset == first.count else { return }
            output.removeFirst()
            outputOffset = 0
        }
        if case .webSocket(let session) = state { session.fill(&buffer) }
    }

    func socketDrained() {
        switch state {
        case .webSocket(let session):
            session.drained()
        case .finishing:
            // Closing right away could reset the connection before the peer has read the answer.
            state = .lingering
            socket?.endOutput()
            set(deadlineIn: timeouts.close)
        case .reading, .answering, .lingering:
            break
        }
    }

    func socketProgressed() {
        switch state {
        case .webSocket(let session): session.progressed()
        case .finishing: set(deadlineIn: timeouts.idleClose)
        case .reading where !parser.isMidRequest: set(deadlineIn: timeouts.idleClose)
        case .reading, .answering, .lingering: break
        }
    }

    // MARK: Time and the end

    private func set(deadlineIn delay: Duration) {
        deadline = .now + delay
        socket?.watch(until: deadline)
    }

    func socketTick(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        switch state {
        case .webSocket(let session):
            return session.tick(now)
        case .answering:
            return nil
        case .reading, .finishing, .lingering:
            guard now >= deadline else { return deadline }
            if case .reading = state, parser.isMidRequest {
                refuse(408, "the request took too long")
                return deadline
            }
            socket?.close()
            return nil
        }
    }

    func socketClosed(_ failure: WebSocketError?) {
        let ended = state
        state = .lingering
        socket = nil
        listener.forget(self)
        if case .webSocket(let session) = ended { session.ended() }
    }

    // MARK: Stopping

    /// Ends the connection as soon as what is in flight is answered.
    func stop(_ reason: CloseReason) {
        switch state {
        case .webSocket(let session):
            session.connection.close(code: reason.code, reason: reason.reason)
        case .reading where !parser.isMidRequest:
            state = .finishing
            socket?.flush()
            set(deadlineIn: timeouts.close)
        case .reading, .answering, .finishing, .lingering:
            break
        }
    }

    /// Ends the connection now.
    func abort() { socket?.close() }
}
