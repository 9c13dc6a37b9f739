import ChatterModel
import ChatterServer
import Synchronization

/// A clock that stands still until a test moves it.
public final class ServerTestClock: ServerClock {
    private struct Work {
        let id: Int
        let due: Duration
        let run: @Sendable () -> Void
    }

    private struct State {
        var uptime = Duration.zero
        var works: [Work] = []
        var nextID = 0
    }

    private let start: Timestamp
    private let state = Mutex(State())

    public init(start: Timestamp = Timestamp(milliseconds: 1_790_000_000_000)) { self.start = start }

    public var now: Timestamp { start.advanced(by: uptime) }
    public var uptime: Duration { state.withLock { $0.uptime } }

    public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
        let id = state.withLock { state in
            state.nextID += 1
            state.works.append(Work(id: state.nextID, due: state.uptime + delay, run: work))
            return state.nextID
        }
        return ScheduledWork { [weak self] in self?.cancel(id) }
    }

    /// Moves the time and runs, on the caller, what became due on the way, in order.
    public func advance(by duration: Duration) {
        let end = uptime + duration
        while let work = takeFirst(dueBy: end) { work.run() }
        state.withLock { $0.uptime = end }
    }

    /// Moves the time at once, as for a machine that slept, and runs then, once each, what was due by the end. For tests
    /// in which others act meanwhile: `advance` shows them times on the way.
    public func jump(by duration: Duration) {
        let due = state.withLock { state in
            state.uptime += duration
            let end = state.uptime
            defer { state.works.removeAll { $0.due <= end } }
            return state.works.filter { $0.due <= end }
        }
        for work in due.sorted(by: { ($0.due, $0.id) < ($1.due, $1.id) }) { work.run() }
    }

    private func takeFirst(dueBy end: Duration) -> Work? {
        state.withLock { state in
            let due = state.works.filter { $0.due <= end }
            guard let first = due.min(by: { ($0.due, $0.id) < ($1.due, $1.id) }) else { return nil }
            state.works.removeAll { $0.id == first.id }
            state.uptime = max(state.uptime, first.due)
            return first
        }
    }

    private func cancel(_ id: Int) {
        state.withLock { $0.works.removeAll { $0.id == id } }
    }
}

/// Bytes that are the same in every run with the same seed.
public final class SeededBytes: RandomBytes {
    private let generator: Mutex<SeededRandom>

    public init(seed: UInt64) { generator = Mutex(SeededRandom(seed: seed)) }

    public func bytes(_ count: Int) -> [UInt8] {
        generator.withLock { generator in
            (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        }
    }
}
