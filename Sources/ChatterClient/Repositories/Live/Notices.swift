import Foundation

/// What may have changed since a screen last looked, from several sources; pulled, so that a slow screen costs one
/// look and not one for each change.
final class Notices: @unchecked Sendable {  // `pending` is guarded by `lock`; the rest is set once
    struct Change: OptionSet, Sendable {
        let rawValue: Int
        static let stored = Change(rawValue: 1)
        static let live = Change(rawValue: 2)
    }

    let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let lock = NSLock()
    private var pending: Change = []

    init() {
        (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func post(_ change: Change) {
        lock.withLock { pending.formUnion(change) }
        continuation.yield()
    }

    /// What was posted since the last call.
    func take() -> Change {
        lock.withLock {
            defer { pending = [] }
            return pending
        }
    }

    func finish() { continuation.finish() }
}
