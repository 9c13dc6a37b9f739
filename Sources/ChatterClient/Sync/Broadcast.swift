import Foundation

/// A value and its changes, for any number of consumers. A value that nobody took in time is skipped for the next.
final class Broadcast<Value: Sendable & Equatable>: @unchecked Sendable {
    // All properties are guarded by `lock`.
    private let lock = NSLock()
    private var current: Value
    private var continuations: [Int: AsyncStream<Value>.Continuation] = [:]
    private var nextID = 0
    private var isFinished = false

    init(_ value: Value) { current = value }

    var value: Value { lock.withLock { current } }

    func send(_ value: Value) {
        // Yielding under the lock keeps two senders in one order; a yield never calls out.
        lock.withLock {
            guard value != current else { return }
            current = value
            for continuation in continuations.values { continuation.yield(value) }
        }
    }

    /// The value now, then each change.
    func stream() -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Value.self, bufferingPolicy: .bufferingNewest(1))
        let id: Int? = lock.withLock {
            continuation.yield(current)
            guard !isFinished else { return nil }
            nextID += 1
            continuations[nextID] = continuation
            return nextID
        }
        if let id {
            continuation.onTermination = { [weak self] _ in self?.remove(id) }
        } else {
            continuation.finish()
        }
        return stream
    }

    /// Ends all streams.
    func finish() {
        let ended = lock.withLock {
            isFinished = true
            defer { continuations = [:] }
            return Array(continuations.values)
        }
        for continuation in ended { continuation.finish() }
    }

    private func remove(_ id: Int) {
        lock.withLock { continuations[id] = nil }
    }
}
