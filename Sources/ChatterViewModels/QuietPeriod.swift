import ChatterClient

/// Does something a moment after the last call: when a person has stopped typing.
final class QuietPeriod {
    private let clock: any ChatterClock
    private let length: Duration
    private var waiting: Task<Void, Never>?

    init(_ length: Duration, clock: any ChatterClock) {
        self.length = length
        self.clock = clock
    }

    /// Takes the place of what was to be done before.
    ///
    /// - Parameter length: another one this time.
    func after(_ length: Duration? = nil, _ work: @escaping () async -> Void) {
        waiting?.cancel()
        // Counted from now and not from whenever the task gets to run.
        let deadline = clock.monotonic + (length ?? self.length)
        waiting = Task { [clock] in
            do { try await clock.sleep(until: deadline) } catch { return }  // Called again, or off.
            await work()
        }
    }

    func cancel() {
        waiting?.cancel()
        waiting = nil
    }
}
