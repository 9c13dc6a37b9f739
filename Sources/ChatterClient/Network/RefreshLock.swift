import Foundation

/// Held around a token refresh by one process at a time: an app and its extension share the tokens, and a refresh
/// token works once.
protocol RefreshLock: Sendable {
    /// Waits for the lock, runs `body`, gives it back. An outage when the lock does not come in time.
    func holding<T: Sendable>(
        _ body: @Sendable () async throws(ClientError) -> T
    ) async throws(ClientError) -> T
}

/// `flock` on a file that every process of the profile knows. A process that dies gives it back.
///
/// iOS kills an app that is suspended while it holds a lock in a container that it shares with its extension: there the
/// refresh runs inside a background task assertion.
struct FileRefreshLock: RefreshLock {
    let path: String
    var patience: Duration = .seconds(20)

    func holding<T: Sendable>(
        _ body: @Sendable () async throws(ClientError) -> T
    ) async throws(ClientError) -> T {
        let descriptor = try await take()
        defer { Foundation.close(descriptor) }  // Closing gives the lock back.
        return try await body()
    }

    /// `flock` blocks, so it waits on a thread of its own; a thread that comes too late gives the lock back itself.
    private func take() async throws(ClientError) -> Int32 {
        let result: Result<Int32, ClientError> = await withCheckedContinuation { continuation in
            let answer = OnceAnswer(continuation)
            let (path, patience) = (path, patience)
            Thread.detachNewThread {
                let result = Self.block(path)
                guard !answer.give(result), case .success(let descriptor) = result else { return }
                Foundation.close(descriptor)
            }
            DispatchQueue.global().asyncAfter(deadline: .now() + patience.seconds) {
                _ = answer.give(.failure(ClientError(.outage, "another process is refreshing the tokens")))
            }
        }
        return try result.get()
    }

    private static func block(_ path: String) -> Result<Int32, ClientError> {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return .failure(failed(path)) }
        while flock(descriptor, LOCK_EX) != 0 {
            if errno == EINTR { continue }
            let error = failed(path)
            Foundation.close(descriptor)
            return .failure(error)
        }
        return .success(descriptor)
    }

    private static func failed(_ path: String) -> ClientError {
        let reason = errno
        if ClientError.isDiskFull(reason) { return .diskFull }
        return ClientError(
            .storage(isTransient: false), "cannot lock \(path): \(String(cString: strerror(reason)))")
    }
}

/// Resumes a continuation with the first answer and says who was first.
private final class OnceAnswer<Value: Sendable>: @unchecked Sendable {  // `continuation` is guarded by `lock`
    private let lock = NSLock()
    private var continuation: CheckedContinuation<Value, Never>?

    init(_ continuation: CheckedContinuation<Value, Never>) { self.continuation = continuation }

    func give(_ value: Value) -> Bool {
        let waiting = lock.withLock {
            defer { continuation = nil }
            return continuation
        }
        waiting?.resume(returning: value)
        return waiting != nil
    }
}

extension Duration {
    /// Whole and fractional seconds, for interfaces that count so.
    var seconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }
}
