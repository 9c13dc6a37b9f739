import CWebSockets
import Foundation

/// The loop's side of one accepted connection: HTTP requests one after the other, then perhaps a WebSocket.
final class ServerConnection: WebSocketSessionDelegate, @unchecked Sendable {
    // Unchecked: touched on the loop's thread only; a `PendingReply` carries it through other threads unopened.

    private enum State {
        /// A request's head is arriving, or nothing.
        case waiting
        case readingBody(RequestHead, [UInt8])
        /// The handler has the request; what arrives meanwhile waits in the kernel.
        case answering(Exchange)
        case writing(ResponseBytes)
        /// The last answer is out; the peer has a little time to end its body and read.
        case lingering
        case upgrading(HTTPRequest)
        case webSocket(WebSocketSession)
        case ended
    }

    private struct Exchange {
        let number: Int
        let isHead: Bool
        let isKeptAlive: Bool
    }

    private let listener: ListenerCore
    private let loop: EventLoop
    private let wire: Wire
    private let remoteAddress: String
    /// There is no room for this connection: it is told so and ends.
    let isOverLimit: Bool
    private var state = State.waiting
    private var requestCount = 0
    /// The peer may be sending a body that nobody wants.
    private var isBodyUnread = false
    /// The request that comes next was sent before the last was answered.
    private var isAhead = false
    /// The TIMER callback, when it comes, is wanted.
    private var isTimed = false

    init(_ wire: Wire, listener: ListenerCore, loop: EventLoop, isOverLimit: Bool) {
        self.wire = wire
        self.listener = listener
        self.loop = loop
        self.isOverLimit = isOverLimit
        remoteAddress = wire.remoteAddress
        setTimer(timeouts.request)
    }

    private var timeouts: Timeouts { listener.configuration.timeouts }

    func handle(_ event: LoopEvent) -> Int32 {
        switch event.reason {
        case LWS_CALLBACK_HTTP: return requestArrived()
        case LWS_CALLBACK_HTTP_BODY: bodyArrived(event.payload)
        case LWS_CALLBACK_HTTP_BODY_COMPLETION: return bodyCompleted()
        case LWS_CALLBACK_HTTP_WRITEABLE: return write()
        case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return upgradeAsked()
        case LWS_CALLBACK_ESTABLISHED: open()
        case LWS_CALLBACK_RECEIVE: return session?.receive(event.payload) ?? -1
        case LWS_CALLBACK_SERVER_WRITEABLE: return session?.writable() ?? -1
        case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE: return session?.peerCloses(event.payload) ?? -1
        case LWS_CALLBACK_TIMER: return timeUp()
        case LWS_CALLBACK_RAW_ADOPT: return -1  // CONNECT would turn the connection into a tunnel.
        case LWS_CALLBACK_CLOSED, LWS_CALLBACK_CLOSED_HTTP: end()
        case LWS_CALLBACK_WSI_DESTROY: destroyed()
        default: break
        }
        return 0
    }

    private var session: WebSocketSession? {
        if case .webSocket(let session) = state { session } else { nil }
    }

    // MARK: Requests

    private func requestArrived() -> Int32 {
        requestCount += 1
        wire.clearTimeout()
        isBodyUnread = RequestHead.isBodyExpected(of: wire)
        // libwebsockets 4.1.6 would never return: it offers what comes behind the body to the body's reader for ever.
        if isAhead && isBodyUnread { return -1 }
        do throws(Refusal) {
            let head = try RequestHead(of: wire, listener.configuration)
            try checkRoom()
            guard head.contentLength <= listener.configuration.limits.bodyBytes else {
                throw Refusal(status: 413, why: "the body is too large")
            }
            if head.contentLength > 0 { expectBody(of: head) } else { dispatch(head, body: []) }
        } catch {
            refuse(error)
        }
        return 0
    }

    private func checkRoom() throws(Refusal) {
        guard !isOverLimit, !listener.isStopping else {
            throw Refusal(status: 503, why: "the server is full or stopping")
        }
    }

    private func expectBody(of head: RequestHead) {
        state = .readingBody(head, [])
        setTimer(timeouts.request)
        if head.expectsContinue {
            var line = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
            lws_write(wire.wsi, &line, line.count, LWS_WRITE_HTTP_HEADERS)
        }
    }

    private func bodyArrived(_ bytes: UnsafeRawBufferPointer) {
        guard case .readingBody(let head, var body) = state else { return }
        state = .waiting  // so that the body grows in place
        body.append(contentsOf: bytes)
        state = .readingBody(head, body)
    }

    private func bodyCompleted() -> Int32 {
        switch state {
        case .readingBody(let head, let body):
            isBodyUnread = false
            dispatch(head, body: body)
        case .lingering: return -1
        default: break  // libwebsockets tells it again while an answer is awaited.
        }
        return 0
    }

    private func dispatch(_ head: RequestHead, body: [UInt8]) {
        state = .answering(
            Exchange(number: requestCount, isHead: head.method == "HEAD", isKeptAlive: head.isKeptAlive))
        isTimed = false
        wire.clearTimeout()
        // Else libwebsockets would spin on what is sent ahead.
        wire.setReading(false)
        let reply = PendingReply(self, loop: loop, requestNumber: requestCount)
        listener.handler.respond(to: head.request(body: body, from: remoteAddress)) { reply($0) }
    }

    // MARK: Answers

    /// `response` is nil when the handler dropped its reply. Late answers to a gone connection end here.
    func answer(_ response: HTTPResponse?, to requestNumber: Int) {
        guard case .answering(let exchange) = state, exchange.number == requestNumber else { return }
        guard let response else { return refuse(Refusal(status: 500, why: "no answer")) }
        let isLast = !exchange.isKeptAlive || response.asksToClose || listener.isStopping
        send(response, isLast: isLast, isHead: exchange.isHead)
        // Ends by itself only from a callback.
        if !isLast, write() != 0 { wire.kill() }
    }

    /// The listener's own refusal, after which the connection ends.
    private func refuse(_ refusal: Refusal) {
        var isHead = RequestHead.line(of: wire)?.method == "HEAD"
        if case .answering(let exchange) = state { isHead = exchange.isHead }
        send(listener.refusal(refusal), isLast: true, isHead: isHead)
    }

    private func send(_ response: HTTPResponse, isLast: Bool, isHead: Bool) {
        guard let bytes = bytes(response, isLast: isLast, isHead: isHead) else { return wire.kill() }
        state = .writing(bytes)
        if isLast { setTimer(timeouts.idleClose) }
        // With reading off, libwebsockets does not tell of room to write either.
        wire.setReading(true)
        wire.requestWritable()
    }

    private func bytes(_ response: HTTPResponse, isLast: Bool, isHead: Bool) -> ResponseBytes? {
        ResponseBytes(response, to: wire, isLast: isLast, isHead: isHead, date: listener.date())
    }

    private func write() -> Int32 {
        guard case .writing(var bytes) = state else { return 0 }
        state = .waiting  // so that the bytes are not copied
        guard bytes.isWritten || bytes.write(to: wire) else { return -1 }
        guard bytes.isWritten, !wire.isHoldingOutput else {
            state = .writing(bytes)
            setTimer(timeouts.idleClose)
            wire.requestWritable()
            return 0
        }
        isTimed = false
        guard !bytes.isLast else { return finish() }
        guard lws_http_transaction_completed(wire.wsi) == 0 else { return -1 }
        isAhead = wire.hasReadAhead
        return 0
    }

    private func finish() -> Int32 {
        guard isBodyUnread else { return -1 }
        // Closing with something unread could reset the connection before the peer has the answer.
        state = .lingering
        shutdown(lws_get_socket_fd(wire.wsi), Int32(SHUT_WR))
        setTimer(timeouts.close)
        return 0
    }

    /// An answer where libwebsockets goes on or closes at once: out of order, and the last.
    private func sendNow(_ response: HTTPResponse) -> Int32 {
        guard var bytes = bytes(response, isLast: true, isHead: false) else { return -1 }
        while !bytes.isWritten, bytes.write(to: wire) {}
        return -1
    }

    // MARK: WebSocket

    /// An `Upgrade` header arrived; 0 lets libwebsockets open a WebSocket.
    private func upgradeAsked() -> Int32 {
        // For a protocol that libwebsockets does not know it has answered by itself, freed the request's head, and
        // would go on to use it (CVE-2025-11677) unless the connection ends here.
        guard let wanted = WireHeaders(wire: wire)[WSI_TOKEN_UPGRADE]?.lowercased(),
            wanted == "websocket" || wanted == "h2c"
        else { return -1 }
        do throws(Refusal) {
            let head = try RequestHead(of: wire, listener.configuration)
            try checkRoom()
            guard wanted == "websocket" else {
                throw Refusal(status: 505, why: "only HTTP/1.1 is spoken here")
            }
            guard head.path == listener.configuration.webSocketPath else {
                throw Refusal(status: 404, why: "no WebSocket here")
            }
            try head.checkHandshake()
            let request = head.request(body: [], from: remoteAddress)
            switch listener.handler.upgrade(request) {
            case .reject(let response): return sendNow(response)
            case .accept: state = .upgrading(request)
            }
            return 0
        } catch {
            return sendNow(listener.refusal(error))
        }
    }

    private func open() {
        guard case .upgrading(let request) = state else { return wire.kill() }
        isTimed = false
        let connection = WebSocketConnection(
            remoteAddress: remoteAddress, loop: loop, queueBytes: listener.configuration.limits.queueBytes)
        state = .webSocket(
            WebSocketSession(connection: connection, wire: wire, rules: listener.sessionRules, delegate: self)
        )
        listener.handler.opened(connection, request: request)
    }

    func session(_ session: WebSocketSession, received message: [UInt8], isText: Bool) {
        listener.handler.received(message, isText: isText, on: session.connection)
    }

    func session(_ session: WebSocketSession, closed reason: CloseReason) {
        listener.handler.closed(session.connection, code: reason.code, reason: reason.reason)
    }

    // MARK: Time and the end

    private func setTimer(_ delay: Duration) {
        isTimed = true
        wire.setTimer(delay)
    }

    private func timeUp() -> Int32 {
        if let session { session.timeUp() }
        guard isTimed else { return 0 }
        isTimed = false
        switch state {
        case .waiting where RequestHead.line(of: wire) != nil, .readingBody:
            return sendNow(listener.refusal(Refusal(status: 408, why: "the request took too long")))
        case .waiting, .writing, .lingering: wire.kill()
        case .answering, .upgrading, .webSocket, .ended: break
        }
        return 0
    }

    /// Ends the connection as soon as what is in flight is answered.
    func stop(_ reason: CloseReason) {
        switch state {
        case .webSocket(let session): session.connection.close(code: reason.code, reason: reason.reason)
        case .waiting: wire.kill()
        case .readingBody, .answering, .writing, .lingering, .upgrading, .ended: break
        }
    }

    private func end() {
        session?.end()
        state = .ended
    }

    private func destroyed() {
        end()
        listener.forget(self)
        wire.releaseOwner(ServerConnection.self)
    }
}
