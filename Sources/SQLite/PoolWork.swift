import Foundation

/// Work that waits for its turn on a connection.
protocol PoolWork: AnyObject, Sendable {
    /// Runs each piece in a transaction with others, or alone and without one.
    var needsTransaction: Bool { get }
    /// False when it was cancelled before its turn; it has then been answered.
    func start() -> Bool
    /// Runs the body and keeps its result until `succeed()`.
    func perform(on database: Database) throws
    func succeed()
    func fail(_ error: any Error)
}

/// A body, its result, and the task that waits for it.
final class Work<T: Sendable>: PoolWork, @unchecked Sendable {
    // `isCancelled` is guarded by `lock`; `result` is touched only by the thread that runs the work;
    // `continuation` is set before the work is queued and resumed once.
    private let lock = NSLock()
    private var isCancelled = false
    private var result: T?
    private let body: @Sendable (Database) throws -> T
    var continuation: CheckedContinuation<T, any Error>?
    let needsTransaction: Bool

    init(needsTransaction: Bool, body: @escaping @Sendable (Database) throws -> T) {
        self.needsTransaction = needsTransaction
        self.body = body
    }

    func cancel() {
        lock.withLock { isCancelled = true }
    }

    func start() -> Bool {
        guard lock.withLock({ isCancelled }) else { return true }
        fail(CancellationError())
        return false
    }

    func perform(on database: Database) throws {
        result = try body(database)
    }

    func succeed() {
        guard let result else { return fail(SQLiteError.misuse("work was answered before it ran")) }
        continuation?.resume(returning: result)
        continuation = nil
    }

    func fail(_ error: any Error) {
        continuation?.resume(throwing: error)
        continuation = nil
    }

    /// Queues the work and waits for its answer. It is queued before the first suspension, so that calls of one
    /// actor keep their order.
    nonisolated(nonsending) func answer(queue: (Work<T>) -> Void) async throws -> T {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                self.continuation = continuation
                queue(self)
            }
        } onCancel: {
            cancel()
        }
    }
}

/// Where a connection's work runs: on a serial queue of its own, so that blocking calls never hold the
/// cooperative pool, or at once on the caller.
struct Lane: Sendable {
    private let queue: DispatchQueue?

    init(_ label: String, executor: DatabasePool.Executor) {
        queue = executor == .threads ? DispatchQueue(label: "sqlite.\(label)", qos: .userInitiated) : nil
    }

    func run(_ body: @escaping @Sendable () -> Void) {
        if let queue { queue.async(execute: body) } else { body() }
    }
}
