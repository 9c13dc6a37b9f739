import CWebSockets
import Foundation
import Synchronization

/// One client connection: the attempt to open it, and then its messages.
final class ClientSession: WebSocketSessionDelegate, @unchecked Sendable {
    // Unchecked: what other threads touch is locked or Sendable; the rest is touched on the loop's thread only.

    let messages: AsyncThrowingStream<[UInt8], any Error>
    let ending = ClientEnding()

    private let url: WebSocketURL
    private let configuration: WebSocketClientConfiguration
    private let loop: EventLoop
    private let inbox: ClientInbox
    private let outcome = Mutex(Outcome())

    private struct Outcome {
        var isCancelled = false
        var waiter: CheckedContinuation<Result<WebSocketConnection, WebSocketError>, Never>?
    }

    // The loop's thread only.
    private var wire: Wire?
    private var session: WebSocketSession?
    /// Why the attempt is given up, when that comes from here.
    private var verdict: WebSocketError?
    private var isOwned = false

    init(_ url: WebSocketURL, _ configuration: WebSocketClientConfiguration, loop: EventLoop) {
        self.url = url
        self.configuration = configuration
        self.loop = loop
        let relay = ReadingRelay()
        let inbox = ClientInbox(capacity: configuration.limits.queueBytes) { inbox in
            loop.perform { relay.session?.hold(inbox.isFull) }
        }
        self.inbox = inbox
        messages = AsyncThrowingStream { await inbox.next() }
        relay.session = self
    }

    /// `vhost` makes, on the loop's thread, what the connection is opened by.
    func open(by vhost: @escaping @Sendable () -> OpaquePointer?) async -> Result<
        WebSocketConnection, WebSocketError
    > {
        await withCheckedContinuation { waiter in
            outcome.withLock { $0.waiter = waiter }
            loop.perform { [self] in connect(by: vhost) }
        }
    }

    func cancel() {
        outcome.withLock { $0.isCancelled = true }
        loop.perform { [self] in giveUp(.cancelled) }
    }

    // MARK: The loop's thread

    private func connect(by vhost: () -> OpaquePointer?) {
        guard !outcome.withLock({ $0.isCancelled }) else { return finish(.failure(.cancelled)) }
        guard let vhost = vhost() else { return finish(.failure(.system("cannot set up TLS"))) }
        let kept = Unmanaged.passRetained(self)
        isOwned = true
        var info = lws_client_connect_info()
        info.vhost = vhost
        info.opaque_user_data = kept.toOpaque()
        info.port = Int32(url.port)
        info.ssl_connection = Int32(LCCSCF_HTTP_NO_FOLLOW_REDIRECT.rawValue)
        if url.isSecure { info.ssl_connection |= Int32(LCCSCF_USE_SSL.rawValue) }
        info.local_protocol_name = LoopMemory.protocolName
        let opened = url.host.withCString { host in
            url.authority.withCString { authority in
                url.target.withCString { target in
                    (info.address, info.host, info.path) = (host, authority, target)
                    return loop.connect(&info)
                }
            }
        }
        guard let opened else {
            // No event told it: the name has no address, or connecting failed at once.
            finish(.failure(.unreachable("\(url.host): no such host, or nothing answers there")))
            if isOwned { kept.release() }
            return
        }
        wire = opened
        opened.setTimer(configuration.connectTimeout)
    }

    func handle(_ event: LoopEvent) -> Int32 {
        switch event.reason {
        case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER: return appendHeaders(event)
        case LWS_CALLBACK_CLIENT_CONNECTION_ERROR: finish(.failure(verdict ?? failure(event)))
        case LWS_CALLBACK_CLIENT_ESTABLISHED: established(event.wire)
        case LWS_CALLBACK_CLIENT_RECEIVE: return session?.receive(event.payload) ?? -1
        case LWS_CALLBACK_CLIENT_WRITEABLE: return session?.writable() ?? 0
        case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE: return session?.peerCloses(event.payload) ?? -1
        case LWS_CALLBACK_TIMER: timeUp()
        case LWS_CALLBACK_CLIENT_CLOSED, LWS_CALLBACK_CLOSED_CLIENT_HTTP: ended()
        case LWS_CALLBACK_WSI_DESTROY: destroyed(event.wire)
        default: break
        }
        return 0
    }

    private func appendHeaders(_ event: LoopEvent) -> Int32 {
        let text = Array(configuration.headers.map { "\($0): \($1)\r\n" }.joined().utf8)
        // `count` is the room behind the pointer that `bytes` points at.
        guard text.count < event.count,
            let next = event.bytes?.assumingMemoryBound(to: UnsafeMutablePointer<UInt8>.self)
        else { return -1 }
        next.pointee.update(from: text, count: text.count)
        next.pointee += text.count
        // From here the attempt's own timer counts, not libwebsockets', which it starts after this.
        loop.perform { [self] in if session == nil { wire?.clearTimeout() } }
        return 0
    }

    private func established(_ wire: Wire) {
        self.wire = wire
        let limits = configuration.limits
        let connection = WebSocketConnection(
            remoteAddress: wire.remoteAddress, loop: loop, queueBytes: limits.queueBytes)
        session = WebSocketSession(
            connection: connection, wire: wire,
            rules: WebSocketSession.Rules(
                messageLimit: limits.frameBytes, close: configuration.closeTimeout,
                overflow: CloseReason(code: 1001, reason: "queue full")),
            delegate: self)
        finish(.success(connection))
    }

    func session(_ session: WebSocketSession, received message: [UInt8], isText: Bool) { inbox.add(message) }

    func session(_ session: WebSocketSession, closed reason: CloseReason) {
        ending.end(reason)
        inbox.end()
    }

    fileprivate func hold(_ isFull: Bool) {
        if session != nil { wire?.setReading(!isFull) }
    }

    private func timeUp() {
        if let session { session.timeUp() } else { giveUp(.timedOut(url.host)) }
    }

    private func giveUp(_ error: WebSocketError) {
        guard session == nil, let wire else { return }
        verdict = error
        wire.kill()
    }

    private func ended() {
        session?.end()
        finish(.failure(verdict ?? .unreachable("\(url.host) ended the connection")))
    }

    private func destroyed(_ wire: Wire) {
        ended()
        self.wire = nil
        isOwned = false
        wire.releaseOwner(ClientSession.self)
    }

    private func finish(_ result: Result<WebSocketConnection, WebSocketError>) {
        let waiter = outcome.withLock { outcome in
            defer { outcome.waiter = nil }
            return outcome.waiter
        }
        waiter?.resume(returning: result)
    }

    /// What libwebsockets' words mean.
    private func failure(_ event: LoopEvent) -> WebSocketError {
        let status = Int(lws_http_client_http_response(event.wire.wsi))
        if status != 0, status != 101 {
            return .refused(status: status, headers: WireHeaders(wire: event.wire).all(), body: [])
        }
        if let tls = lws_get_ssl(event.wire.wsi) {
            let verdict = SSL_get_verify_result(tls)
            if verdict != Int(X509_V_OK), let words = X509_verify_cert_error_string(verdict) {
                return .tls(String(cString: words))
            }
        }
        let words = String(decoding: event.payload, as: UTF8.self)
        if words.hasPrefix("connect S") { return .tls("the handshake failed") }
        if words.hasPrefix("HS: ") { return .badHandshake(String(words.dropFirst(4))) }
        if words.contains("header") { return .badHandshake(words) }
        return .unreachable("\(url.host): \(words)")
    }
}

/// Tells the loop's side of a client, while it lives, that its inbox is full or not.
private final class ReadingRelay: Sendable {
    // Unsafe: set before it is used, then touched on the loop's thread only.
    nonisolated(unsafe) weak var session: ClientSession?
}
