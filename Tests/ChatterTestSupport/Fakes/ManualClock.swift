import ChatterClient
import ChatterModel
import Foundation

/// Time that stands still until a test moves it.
public final class ManualClock: ChatterClock, @unchecked Sendable {  // `state` is guarded by `lock`
    private struct Sleeper {
        var deadline: Duration
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now: Timestamp
        var monotonic = Duration.seconds(1000)
        var nextID = 0
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let lock = NSLock()
    private var state: State

    /// 2026-01-01T00:00:00Z unless told.
    public init(now: Timestamp = Timestamp(milliseconds: 1_767_225_600_000)) {
        state = State(now: now)
    }

    public var now: Timestamp { lock.withLock { state.now } }
    public var monotonic: Duration { lock.withLock { state.monotonic } }

    /// A person who changes the device's clock: no timer notices.
    public func set(_ now: Timestamp) { lock.withLock { state.now = now } }

    /// Moves both clocks and wakes whoever is due.
    public func advance(by duration: Duration) {
        let due = lock.withLock {
            state.now = state.now.advanced(by: duration)
            state.monotonic += duration
            let ids = state.sleepers.filter { $0.value.deadline <= state.monotonic }
                .sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }.map(\.key)
            return ids.compactMap { state.sleepers.removeValue(forKey: $0) }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Moves to the next deadline that somebody sleeps for; waits for somebody to sleep when nobody does.
    public func advanceToNextSleeper() async {
        await sleepers(atLeast: 1)
        let next = lock.withLock {
            state.sleepers.values.map(\.deadline).min().map { max(.zero, $0 - state.monotonic) }
        }
        if let next { advance(by: next) }
    }

    /// Returns once the test has let so much time pass.
    public func passes(_ duration: Duration) async throws { try await sleep(for: duration) }

    public var sleeperCount: Int { lock.withLock { state.sleepers.count } }

    /// How many ever slept.
    public var sleeperTotal: Int { lock.withLock { state.nextID } }

    /// Returns once so many sleep.
    public func sleepers(atLeast count: Int) async {
        await withCheckedContinuation { continuation in
            let isMet = lock.withLock {
                if state.sleepers.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isMet { continuation.resume() }
        }
    }

    public func sleep(until deadline: Duration) async throws {
        let id = lock.withLock {
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                begin(id, Sleeper(deadline: deadline, continuation: continuation))
            }
        } onCancel: {
            let sleeper = lock.withLock {
                state.cancelled.insert(id)
                return state.sleepers.removeValue(forKey: id)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    private func begin(_ id: Int, _ sleeper: Sleeper) {
        var met: [CheckedContinuation<Void, Never>] = []
        let outcome: Result<Void, any Error>? = lock.withLock {
            if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
            if sleeper.deadline <= state.monotonic { return .success(()) }
            state.sleepers[id] = sleeper
            let count = state.sleepers.count
            met = state.watchers.filter { $0.count <= count }.map(\.continuation)
            state.watchers.removeAll { $0.count <= count }
            return nil
        }
        if let outcome { sleeper.continuation.resume(with: outcome) }
        for continuation in met { continuation.resume() }
    }
}
