import ChatterClient
import Foundation

/// A network that the test switches.
public final class FakeReachability: Reachability, @unchecked Sendable {  // `lock` guards the variables
    private let lock = NSLock()
    private var isReachable: Bool
    private var listeners: [AsyncStream<Bool>.Continuation] = []

    public init(_ isReachable: Bool = true) { self.isReachable = isReachable }

    public func changes() -> AsyncStream<Bool> {
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
        let now = lock.withLock {
            listeners.append(continuation)
            return isReachable
        }
        continuation.yield(now)
        return stream
    }

    /// Also with the value it has: another path.
    public func set(_ isReachable: Bool) {
        let listeners = lock.withLock {
            self.isReachable = isReachable
            return self.listeners
        }
        for listener in listeners { listener.yield(isReachable) }
    }
}
