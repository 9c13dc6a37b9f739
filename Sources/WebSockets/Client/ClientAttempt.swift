import CWebSockets
import Foundation
import Synchronization

/// One attempt to connect, from the dialer to the open WebSocket, and then its messages.
final class ClientAttempt: ClientConnectionDelegate {
    let messages: AsyncThrowingStream<[UInt8], any Error>
    let ending = ClientEnding()

    private let loop: EventLoop
    private let inbox: ClientInbox
    private let gate: ClientGate
    private let outcome = Mutex(Outcome())

    private struct Outcome {
        var isCancelled = false
        var waiter: CheckedContinuation<Result<WebSocketConnection, WebSocketError>, Never>?
    }

    /// `capacity` is how many bytes of messages wait here before the server is held back.
    init(loop: EventLoop, capacity: Int) {
        self.loop = loop
        let gate = ClientGate()
        let inbox = ClientInbox(capacity: capacity) { inbox in
            loop.perform { gate.connection?.setReading(!inbox.isFull) }
        }
        self.gate = gate
        self.inbox = inbox
        messages = AsyncThrowingStream { await inbox.next() }
    }

    func run(
        _ url: WebSocketURL, _ configuration: WebSocketClientConfiguration, dialer: Dialer, tls: TLSContext?,
        deadline: ContinuousClock.Instant
    ) async -> Result<WebSocketConnection, WebSocketError> {
        let descriptor: Int32
        loop.perform { [loop] in
            loop.perform(after: deadline - .now) { [weak dialer] in dialer?.timeOut() }
        }
        do throws(WebSocketError) {
            descriptor = try await dialer.dial()
        } catch {
            return .failure(error)
        }
        return await withCheckedContinuation { waiter in
            outcome.withLock { $0.waiter = waiter }
            loop.perform { [self] in
                begin(descriptor, url, configuration, tls: tls, deadline: deadline)
            }
        }
    }

    func cancel() {
        outcome.withLock { $0.isCancelled = true }
        loop.perform { [gate] in gate.connection?.cancel() }
    }

    // MARK: The loop's thread

    private func begin(
        _ descriptor: Int32, _ url: WebSocketURL, _ configuration: WebSocketClientConfiguration,
        tls: TLSContext?, deadline: ContinuousClock.Instant
    ) {
        guard !outcome.withLock({ $0.isCancelled }) else {
            close(descriptor)
            return failed(.cancelled)
        }
        var session: TLSSession?
        if let tls {
            do throws(WebSocketError) {
                session = try TLSSession(tls, host: url.host)
            } catch {
                close(descriptor)
                return failed(error)
            }
        }
        setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        let connection = ClientConnection(
            url, configuration, loop: loop, remoteAddress: SocketAddress.peer(of: descriptor)?.numeric ?? "",
            deadline: deadline, delegate: self)
        let socket = Socket(descriptor: descriptor, loop: loop, tls: session, delegate: connection)
        connection.attach(socket)
        gate.connection = connection
        guard loop.adopt(socket) else { return socket.closed() }
        socket.open()
    }

    func opened(_ connection: WebSocketConnection) { finish(.success(connection)) }

    func failed(_ error: WebSocketError) { finish(.failure(error)) }

    func received(_ message: [UInt8]) { inbox.add(message) }

    func closed(_ reason: CloseReason) {
        ending.end(reason)
        inbox.end()
    }

    private func finish(_ result: Result<WebSocketConnection, WebSocketError>) {
        let waiter = outcome.withLock { outcome in
            defer { outcome.waiter = nil }
            return outcome.waiter
        }
        waiter?.resume(returning: result)
    }
}

/// The loop's side of a client connection, for those who may act on it while it lives.
private final class ClientGate: Sendable {
    nonisolated(unsafe) weak var connection: ClientConnection?  // Unsafe: the loop's thread only.
}

/// Remembers how a connection ended, and wakes those who wait for that.
final class ClientEnding: Sendable {
    private struct State {
        var reason: CloseReason?
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var reason: CloseReason? { state.withLock { $0.reason } }

    func end(_ reason: CloseReason) {
        let waiters = state.withLock { state in
            state.reason = reason
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    func wait() async {
        await withCheckedContinuation { waiter in
            let hasEnded = state.withLock { state in
                if state.reason == nil { state.waiters.append(waiter) }
                return state.reason != nil
            }
            if hasEnded { waiter.resume() }
        }
    }
}
