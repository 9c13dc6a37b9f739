import ChatterClient
import ChatterModel
import Foundation
import Testing

/// Sockets whose other end is the test.
public final class FakeSockets: SocketTransport, @unchecked Sendable {  // the variables are guarded by `lock`
    public typealias Answer = @Sendable (SocketRequest) async throws(SocketError) -> FakeSocket

    private let lock = NSLock()
    private var answer: Answer?
    private var received: [SocketRequest] = []

    public init() {}

    /// How connects are answered from now on.
    public func onConnect(_ answer: @escaping Answer) { lock.withLock { self.answer = answer } }

    public var requests: [SocketRequest] { lock.withLock { received } }

    public func connect(_ request: SocketRequest) async throws(SocketError) -> any SocketConnection {
        let answer = lock.withLock {
            received.append(request)
            return self.answer
        }
        guard let answer else {
            Issue.record("no answer for a connect to \(request.url.path)")
            throw SocketError.noConnection("unexpected connect")
        }
        return try await answer(request)
    }
}

/// One connection, driven by the test.
public final class FakeSocket: SocketConnection {
    public let events: AsyncStream<SocketEvent>
    /// What the client sent, in order.
    public let sent: AsyncStream<[UInt8]>
    private let incoming: AsyncStream<SocketEvent>.Continuation
    private let outgoing: AsyncStream<[UInt8]>.Continuation

    public init() {
        (events, incoming) = AsyncStream.makeStream()
        (sent, outgoing) = AsyncStream.makeStream()
    }

    public func receive(_ text: String) { incoming.yield(.text([UInt8](text.utf8))) }

    public func receive(_ event: ServerEvent, id: String? = nil) throws {
        incoming.yield(.text(try Wire.encode(ServerFrame(event, id: id))))
    }

    public func end(_ closure: SocketClosure) {
        incoming.yield(.closed(closure))
        incoming.finish()
        outgoing.finish()
    }

    public func send(_ text: [UInt8]) async throws(SocketError) {
        if case .terminated = outgoing.yield(text) { throw .closed }
    }

    public func close(code: UInt16) { end(.byClient) }
}
