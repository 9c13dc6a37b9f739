import ChatterModel
import Foundation

@testable import ChatterClient

/// One live connection to a `FakeServer`.
final class FakeLink: LiveLink {
    let inputs: AsyncStream<LiveInput>
    let tokenEndsAt: Duration
    private let continuation: AsyncStream<LiveInput>.Continuation
    private let handler: @Sendable (ClientFrame, FakeLink) async throws -> Void
    private let state = LinkState()

    init(
        tokenEndsAt: Duration, _ handler: @escaping @Sendable (ClientFrame, FakeLink) async throws -> Void
    ) {
        self.tokenEndsAt = tokenEndsAt
        (inputs, continuation) = AsyncStream.makeStream(of: LiveInput.self)
        self.handler = handler
    }

    var isClosed: Bool { state.isClosed }

    func push(_ frame: ServerFrame) {
        if !state.isMute { continuation.yield(.frame(frame)) }
    }

    /// From now on the path swallows everything in both directions, without a word.
    func mute() { state.mute() }

    /// A frame arrives that cannot be read.
    func garble() { state.garble() }
    var unreadableFrames: Int { state.garbled }

    /// From now on nothing can be handed over, though the end of the connection is not heard of.
    func failSends() { state.failSends() }
    /// How many frames could not be handed over.
    var failedSends: Int { state.failedSends }

    /// The connection ends.
    func finish(_ code: CloseCode?) {
        guard state.close() else { return }
        continuation.yield(.closed(code: code?.rawValue, reason: code == nil ? "lost" : "closed"))
        continuation.finish()
    }

    func send(_ frame: ClientFrame) async throws(ClientError) {
        guard state.maySend() else { throw ClientError(.outage, "the socket is closed") }
        guard !state.isMute else { return }
        do {
            try await handler(frame, self)
        } catch {
            throw ClientError(.outage, "the server is gone")
        }
    }

    func close() { finish(nil) }
}

private final class LinkState: @unchecked Sendable {  // everything is guarded by `lock`
    private let lock = NSLock()
    private var closed = false
    private var muted = false
    private var failing = false
    private var failures = 0
    private var unreadable = 0

    var isClosed: Bool { lock.withLock { closed } }
    var isMute: Bool { lock.withLock { muted } }
    var garbled: Int { lock.withLock { unreadable } }
    var failedSends: Int { lock.withLock { failures } }

    func mute() { lock.withLock { muted = true } }
    func garble() { lock.withLock { unreadable += 1 } }
    func failSends() { lock.withLock { failing = true } }

    /// Counts what may not.
    func maySend() -> Bool {
        lock.withLock {
            let isFailing = failing || closed
            if isFailing { failures += 1 }
            return !isFailing
        }
    }

    /// False when it was closed before.
    func close() -> Bool {
        lock.withLock {
            defer { closed = true }
            return !closed
        }
    }
}
