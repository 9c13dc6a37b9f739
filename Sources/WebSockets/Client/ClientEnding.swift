import Synchronization

/// Remembers how a connection ended, and wakes those who wait for that.
final class ClientEnding: Sendable {
    private struct State {
        var reason: CloseReason?
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var reason: CloseReason? { state.withLock { $0.reason } }

    func end(_ reason: CloseReason) {
        let waiters = state.withLock { state in
            state.reason = reason
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    func wait() async {
        await withCheckedContinuation { waiter in
            let hasEnded = state.withLock { state in
                if state.reason == nil { state.waiters.append(waiter) }
                return state.reason != nil
            }
            if hasEnded { waiter.resume() }
        }
    }
}
