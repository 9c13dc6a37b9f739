import Foundation
import Synchronization

/// An HTTP/1.1 and WebSocket server on one address, with one thread of its own.
public final class Listener: Sendable {
    private enum Phase { case bound, running, stopped }

    /// The port it is bound to, also when the configuration asked for any.
    public let port: UInt16

    private let core: ListenerCore
    private let loop: EventLoop
    private let phase = Mutex(Phase.bound)
    private let descriptors: [Int32]

    /// Binds, so that `port` is known and taken, and accepts nothing yet.
    public init(_ configuration: ListenerConfiguration, handler: any ListenerHandler) throws(WebSocketError) {
        DescriptorLimit.raise(toHold: configuration.limits.connections)
        var tls: TLSContext?
        if let identity = configuration.tls { tls = try TLSContext(identity: identity) }
        (descriptors, port) = try ListeningSockets.open(host: configuration.host, port: configuration.port)
        do throws(WebSocketError) {
            loop = try EventLoop(name: "listener \(port)")
        } catch {
            for descriptor in descriptors { close(descriptor) }
            throw error
        }
        core = ListenerCore(configuration, handler: handler, loop: loop, tls: tls)
    }

    deinit {
        guard phase.withLock({ $0 == .bound }) else { return }
        for descriptor in descriptors { close(descriptor) }
        loop.abandon()
    }

    /// Starts accepting. Further calls do nothing.
    public func start() {
        let mustStart = phase.withLock { phase in
            guard phase == .bound else { return false }
            phase = .running
            return true
        }
        guard mustStart else { return }
        let (core, descriptors) = (core, descriptors)
        loop.perform { core.listen(on: descriptors) }
        loop.start()
    }

    /// Runs `work` on the loop's thread; dropped after `stop`.
    public func perform(_ work: @escaping @Sendable () -> Void) { loop.perform(work) }

    /// Stops accepting, answers what is in flight, sends every WebSocket what is queued and a Close frame with
    /// `code`, and after `limit` at the latest drops what is left. Returns when everything is closed and freed.
    public func stop(within limit: Duration, code: UInt16 = 1012, reason: String) async {
        let mustStop = phase.withLock { phase in
            defer { if phase == .running { phase = .stopped } }
            return phase == .running
        }
        guard mustStop else { return }
        let (core, loop) = (core, loop)
        await withCheckedContinuation { done in
            loop.perform {
                core.stop(CloseReason(code: code, reason: reason)) { loop.stop { done.resume() } }
                loop.perform(after: limit) { core.abort() }
            }
        }
    }
}
