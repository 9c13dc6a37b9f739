import ChatterClient
import ChatterServer
import Foundation
import WebSockets

/// Both ends of a socket that is none: the client's connection and the server's sink.
final class InProcessSocket: SocketConnection, ConnectionSink, @unchecked Sendable {
    // `connection` and `isOver` are guarded by `lock`.
    let events: AsyncStream<SocketEvent>
    let queuedBytes = 0
    private let incoming: AsyncStream<SocketEvent>.Continuation
    private let server: ChatterServer
    private let sent: @Sendable ([UInt8]) -> Void
    private let ended: @Sendable (InProcessSocket) -> Void
    private let lock = NSLock()
    private var connection: LiveConnection?
    private var isOver = false

    init(
        _ server: ChatterServer, sent: @escaping @Sendable ([UInt8]) -> Void,
        ended: @escaping @Sendable (InProcessSocket) -> Void
    ) {
        self.server = server
        self.sent = sent
        self.ended = ended
        (events, incoming) = AsyncStream.makeStream()
    }

    /// Throws what the server refuses the upgrade with.
    func open(_ request: WebSockets.HTTPRequest) throws {
        let connection = try server.connect(request, sink: self)
        let isOver = lock.withLock {
            self.connection = connection
            return self.isOver
        }
        if isOver { server.disconnected(connection) }
    }

    /// The network takes it from both ends.
    func lose() { end(.lost("the network was cut")) }

    // MARK: - The client's end

    func send(_ text: [UInt8]) async throws(SocketError) {
        guard let connection = lock.withLock({ isOver ? nil : connection }) else { throw .closed }
        server.receive(text, on: connection)
        sent(text)
    }

    func close(code: UInt16) { end(.byClient) }

    // MARK: - The server's end

    func send(_ frame: [UInt8]) -> Bool {
        guard !lock.withLock({ isOver }) else { return false }
        incoming.yield(.text(frame))
        return true
    }

    func close(code: UInt16, reason: String) { end(.byServer(code: code)) }

    private func end(_ closure: SocketClosure) {
        let (isFirst, connection) = lock.withLock {
            defer { isOver = true }
            return (!isOver, self.connection)
        }
        guard isFirst else { return }
        incoming.yield(.closed(closure))
        incoming.finish()
        ended(self)
        // The server must not be called back from inside one of its own calls.
        if let connection { DispatchQueue.global().async { [server] in server.disconnected(connection) } }
    }
}
