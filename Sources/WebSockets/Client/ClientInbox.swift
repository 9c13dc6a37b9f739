import Synchronization

/// Messages that arrived and wait for the application, which holds the server back when it falls behind.
final class ClientInbox: Sendable {
    private let state = Mutex(InboxState())
    private let capacity: Int
    /// `isFull` changed; called from any thread, so that only what `isFull` says later counts.
    private let fullnessChanged: @Sendable (ClientInbox) -> Void

    init(capacity: Int, fullnessChanged: @escaping @Sendable (ClientInbox) -> Void) {
        self.capacity = capacity
        self.fullnessChanged = fullnessChanged
    }

    /// Whether nothing more should be read from the network for now.
    var isFull: Bool { state.withLock { $0.isFull } }

    func add(_ message: [UInt8]) {
        let (waiter, hasFilled) = state.withLock { $0.add(message, capacity: capacity) }
        waiter?.resume(returning: message)
        if hasFilled { fullnessChanged(self) }
    }

    /// No more will come; what is here can still be taken.
    func end() {
        let waiter = state.withLock { state in
            state.hasEnded = true
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: nil)
    }

    /// The next message in order; nil after the last one, or when the waiting task is cancelled.
    func next() async -> [UInt8]? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let (message, isDone, hasEmptied) = state.withLock {
                    $0.take(orWait: waiter, capacity: capacity)
                }
                if isDone { waiter.resume(returning: message) }
                if hasEmptied { fullnessChanged(self) }
                // A cancellation that came before the waiter was in place did not find it.
                if !isDone, Task.isCancelled { giveUpWaiting() }
            }
        } onCancel: {
            giveUpWaiting()
        }
    }

    private func giveUpWaiting() {
        let waiter = state.withLock { state in
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: nil)
    }
}

private struct InboxState {
    var messages: [[UInt8]] = []
    var next = 0
    var bytes = 0
    var isFull = false
    var hasEnded = false
    var waiter: CheckedContinuation<[UInt8]?, Never>?

    /// Hands the message to a waiter, or keeps it.
    mutating func add(
        _ message: [UInt8], capacity: Int
    ) -> (waiter: CheckedContinuation<[UInt8]?, Never>?, hasFilled: Bool) {
        if let waiter {
            self.waiter = nil
            return (waiter, false)
        }
        messages.append(message)
        bytes += message.count
        guard !isFull, bytes > capacity else { return (nil, false) }
        isFull = true
        return (nil, true)
    }

    mutating func take(
        orWait waiter: CheckedContinuation<[UInt8]?, Never>, capacity: Int
    ) -> (message: [UInt8]?, isDone: Bool, hasEmptied: Bool) {
        guard next < messages.count else {
            guard !hasEnded else { return (nil, true, false) }
            self.waiter = waiter
            return (nil, false, false)
        }
        let message = messages[next]
        messages[next] = []
        next += 1
        bytes -= message.count
        if next == messages.count || next >= 1024 {
            messages.removeFirst(next)
            next = 0
        }
        let hasEmptied = isFull && bytes <= capacity / 2
        if hasEmptied { isFull = false }
        return (message, true, hasEmptied)
    }
}
