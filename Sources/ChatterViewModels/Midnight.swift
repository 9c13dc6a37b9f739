import ChatterClient

/// The wait for the moment at which labels of days and times are due to be made again.
///
/// Whoever waits shares one timer: the system keeps a timer that was called off until it would have been due, and chats
/// that are opened and closed would leave one each.
final class Midnight {
    private let words: TimeWords
    private var sleeper: Task<Void, Never>?
    private var waiters: [Int: AsyncStream<Never>.Continuation] = [:]
    private var nextWaiter = 0

    init(_ words: TimeWords) { self.words = words }

    /// Returns at the next midnight here, when the clock or the zone has changed, and when the task is cancelled.
    func wait() async {
        let (change, waiter) = AsyncStream.makeStream(of: Never.self)
        let number = nextWaiter
        nextWaiter += 1
        waiters[number] = waiter
        sleep()
        for await _ in change {}
        waiters[number] = nil
        if waiters.isEmpty { sleeper?.cancel() }
    }

    private func sleep() {
        guard sleeper == nil else { return }
        sleeper = Task { [words] in
            do { try await words.untilLabelsChange() } catch {}  // Woken: that is all there is to it.
            sleeper = nil
            for waiter in waiters.values { waiter.finish() }
        }
    }

    /// What was waited for lies elsewhere now.
    func clockChanged() { sleeper?.cancel() }
}
