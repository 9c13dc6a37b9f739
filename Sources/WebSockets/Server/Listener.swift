import CWebSockets
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

    /// Binds, so that `port` is known and taken; connections wait until `start`.
    public init(_ configuration: ListenerConfiguration, handler: any ListenerHandler) throws(WebSocketError) {
        DescriptorLimit.raise(toHold: configuration.limits.connections)
        if let identity = configuration.tls { try identity.check() }
        let addresses = try ListenAddresses(configuration.host)
        core = ListenerCore(configuration, handler: handler)
        (loop, port) = try Self.bind(configuration, addresses, core)
    }

    private static func bind(
        _ configuration: ListenerConfiguration, _ addresses: ListenAddresses, _ core: ListenerCore
    ) throws(WebSocketError) -> (EventLoop, port: UInt16) {
        var attempts = 0
        while true {
            let loop = try makeLoop(configuration, core)
            do throws(WebSocketError) {
                return (loop, try addresses.listen(configuration, on: loop))
            } catch {
                loop.abandon()
                // A port that is free at one address may be taken at the next; any other will do.
                attempts += 1
                guard configuration.port == 0, attempts < 10, case .addressInUse = error else { throw error }
            }
        }
    }

    private static func makeLoop(
        _ configuration: ListenerConfiguration, _ core: ListenerCore
    ) throws(WebSocketError) -> EventLoop {
        let (limits, timeouts) = (configuration.limits, configuration.timeouts)
        let memory = LoopMemory(receiveBytes: 2048, idle: (timeouts.idlePing, timeouts.idleClose))
        return try EventLoop(name: "listener", memory: memory, delegate: core) { info in
            // libwebsockets hangs up beyond this; below it, a large head can be answered. It counts in 16 bits.
            info.max_http_header_data2 = UInt32(min(4 * limits.headerBytes, 65_000))
            // A little late: the connection's own timer answers first.
            info.timeout_secs = UInt32(clamping: timeouts.request.wholeSeconds + 5)
        }
    }

    deinit {
        if phase.withLock({ $0 == .bound }) { loop.abandon() }
    }

    /// Starts accepting. Further calls do nothing.
    public func start() {
        let mustStart = phase.withLock { phase in
            guard phase == .bound else { return false }
            phase = .running
            return true
        }
        if mustStart { loop.start() }
    }

    /// Runs `work` on the loop's thread; dropped after `stop`.
    public func perform(_ work: @escaping @Sendable () -> Void) { loop.perform(work) }

    /// Stops accepting, answers what is in flight, sends every WebSocket what is queued and a Close frame with
    /// `code`, and after `limit` at the latest drops what is left. Returns when everything is closed and freed.
    public func stop(within limit: Duration, code: UInt16 = 4012, reason: String) async {
        let mustStop = phase.withLock { phase in
            defer { if phase == .running { phase = .stopped } }
            return phase == .running
        }
        guard mustStop else { return }
        let (core, loop) = (core, loop)
        await withCheckedContinuation { done in
            loop.perform {
                core.stop(CloseReason(code: code, reason: reason)) { loop.stop { done.resume() } }
            }
            DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(Int(limit.microseconds))) {
                [weak core, weak loop] in
                guard let core, let loop else { return }
                loop.perform { core.finishStopping() }
            }
        }
    }
}
