import ChatterModel
import Foundation

/// The server's time: injected, so that tests and simulations own it.
public protocol ServerClock: Sendable {
    /// For everything that is stored or sent.
    var now: Timestamp { get }
    /// Grows steadily whatever happens to the wall clock; for rates, time-outs and graces.
    var uptime: Duration { get }
    /// Runs `work` once after `delay`, unless cancelled before.
    func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> ScheduledWork
}

/// Something that a clock will run.
public struct ScheduledWork: Sendable {
    private let onCancel: @Sendable () -> Void

    public init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

    /// Does nothing when it has run already.
    public func cancel() { onCancel() }
}

/// The machine's clock.
public struct SystemClock: ServerClock {
    private let start = ContinuousClock.now

    public init() {}

    public var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    public var uptime: Duration { ContinuousClock.now - start }

    public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
        let task = Task {
            do {
                try await Task.sleep(for: delay)
            } catch {
                return  // cancelled: `work` is not wanted any more
            }
            work()
        }
        return ScheduledWork { task.cancel() }
    }
}
