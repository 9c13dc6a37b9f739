import Foundation

/// Work that waits for its turn on a connection.
protocol PoolWork: AnyObject, Sendable {
    var kind: PoolWorkKind { get }
    /// False when it was cancelled before its turn; it has then been answered.
    func start() -> Bool
    /// Runs the body and keeps its result until `succeed()`.
    func perform(on database: Database) throws
    func succeed()
    func fail(_ error: any Error)
}

enum PoolWorkKind {
    /// On one snapshot; a statement that is running when the task is cancelled is interrupted.
    case read
    /// In a transaction, perhaps with others; once begun it completes.
    case write
    /// In its turn, by itself and in no transaction.
    case alone
}

/// A body, its result, and the task that waits for it.
final class Work<T: Sendable>: PoolWork, @unchecked Sendable {
    private enum Answer {
        case none
        case awaited(CheckedContinuation<T, any Error>)
        case given(Result<T, any Error>)
    }

    // `isCancelled`, `reader` and `answer` are guarded by `lock`; `result` is touched only by the thread that runs
    // the work.
    private let lock = NSLock()
    private var isCancelled = false
    private var reader: Database?
    private var answer = Answer.none
    private var result: T?
    private let body: @Sendable (Database) throws -> T
    let kind: PoolWorkKind

    init(_ kind: PoolWorkKind, body: @escaping @Sendable (Database) throws -> T) {
        self.kind = kind
        self.body = body
    }

    /// Waits until the work, which has been queued, is answered.
    func value() async throws -> T {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let given: Result<T, any Error>? = lock.withLock {
                    if case .given(let result) = answer { return result }
                    answer = .awaited(continuation)
                    return nil
                }
                if let given { continuation.resume(with: given) }
            }
        } onCancel: {
            cancel()
        }
    }

    private func cancel() {
        lock.withLock {
            isCancelled = true
            // Under the lock, so that the reader cannot have gone on to other work.
            reader?.interrupt()
        }
    }

    func start() -> Bool {
        guard lock.withLock({ isCancelled }) else { return true }
        fail(CancellationError())
        return false
    }

    func perform(on database: Database) throws {
        guard kind == .read else {
            result = try body(database)
            return
        }
        lock.withLock { reader = database }
        defer { lock.withLock { reader = nil } }
        do {
            result = try body(database)
        } catch let error as SQLiteError where error.isInterrupted && lock.withLock({ isCancelled }) {
            throw CancellationError()
        }
    }

    func succeed() {
        guard let result else { return fail(SQLiteError.misuse("answered before it ran")) }
        give(.success(result))
    }

    func fail(_ error: any Error) {
        give(.failure(error))
    }

    private func give(_ result: Result<T, any Error>) {
        let continuation: CheckedContinuation<T, any Error>? = lock.withLock {
            defer { answer = .given(result) }
            guard case .awaited(let continuation) = answer else { return nil }
            return continuation
        }
        continuation?.resume(with: result)
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
