import Foundation

/// Tells subscribers that a commit touched their tables.
final class ChangeHub: @unchecked Sendable {  // every property is guarded by `lock`
    private struct Subscriber {
        let tables: Set<String>?
        let continuation: AsyncStream<Void>.Continuation
    }

    private let lock = NSLock()
    private var subscribers: [Int: Subscriber] = [:]
    private var nextID = 0
    private var isClosed = false

    /// One notice at once, then one after each commit that touched `tables` (nil: any). A notice not yet taken
    /// stands for all that follow.
    func subscribe(to tables: Set<String>?) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield()
        let id: Int? = lock.withLock {
            guard !isClosed else { return nil }
            nextID += 1
            subscribers[nextID] = Subscriber(tables: tables, continuation: continuation)
            return nextID
        }
        if let id {
            continuation.onTermination = { [weak self] _ in self?.remove(id) }
        } else {
            continuation.finish()
        }
        return stream
    }

    func publish(_ changed: Set<String>) {
        // Yielding outside the lock: a stream may end at that moment and remove itself.
        let touched = lock.withLock {
            subscribers.values.filter { $0.tables.map { !$0.isDisjoint(with: changed) } ?? true }
        }
        for subscriber in touched { subscriber.continuation.yield() }
    }

    func close() {
        let ended = lock.withLock {
            isClosed = true
            defer { subscribers = [:] }
            return Array(subscribers.values)
        }
        for subscriber in ended { subscriber.continuation.finish() }
    }

    private func remove(_ id: Int) {
        lock.withLock { subscribers[id] = nil }
    }
}
