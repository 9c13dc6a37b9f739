#if canImport(Darwin)
    import Foundation

    /// The live socket transport on Apple platforms.
    ///
    /// `maximumMessageSize` is set, since a task stops at 1 MiB otherwise and only says "message too long". The
    /// handshake's end is told by the delegate: a task that was resumed accepts sends before it is connected.
    final class URLSessionSocketTransport: NSObject, SocketTransport, URLSessionWebSocketDelegate,
        @unchecked Sendable  // `waiting` is guarded by `lock`
    {
        typealias Handshake = CheckedContinuation<Result<Void, SocketError>, Never>

        private let lock = NSLock()
        private var waiting: [Int: Handshake] = [:]
        private var closures: [Int: SocketClosure] = [:]
        private let configuration = URLSessionConfiguration.ephemeral
        private lazy var session = URLSession(
            configuration: configuration, delegate: self, delegateQueue: nil)

        func connect(_ request: SocketRequest) async throws(SocketError) -> any SocketConnection {
            var urlRequest = URLRequest(url: request.url)
            urlRequest.timeoutInterval = request.timeout.seconds
            for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
            let task = lock.withLock { session }.webSocketTask(with: urlRequest)
            task.maximumMessageSize = request.messageLimit
            let result: Result<Void, SocketError> = await withTaskCancellationHandler {
                await withCheckedContinuation { handshake in
                    lock.withLock { waiting[task.taskIdentifier] = handshake }
                    task.resume()
                    let timeout = DispatchTime.now() + request.timeout.seconds
                    DispatchQueue.global().asyncAfter(deadline: timeout) { [self] in
                        finish(task, .failure(.timedOut))
                    }
                }
            } onCancel: {
                task.cancel()
            }
            if case .failure = result { task.cancel() }
            try result.get()
            return Connection(task) { [self] in lock.withLock { closures.removeValue(forKey: $0) } }
        }

        private func finish(_ task: URLSessionTask, _ result: Result<Void, SocketError>) {
            lock.withLock { waiting.removeValue(forKey: task.taskIdentifier) }?.resume(returning: result)
        }

        func urlSession(
            _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
            didOpenWithProtocol protocol: String?
        ) {
            finish(webSocketTask, .success(()))
        }

        func urlSession(
            _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
            didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
        ) {
            let code = UInt16(clamping: closeCode.rawValue)
            lock.withLock { closures[webSocketTask.taskIdentifier] = .byServer(code: code) }
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
        ) {
            let status = (task.response as? HTTPURLResponse)?.statusCode
            let failure: SocketError =
                if let status, status != 101 {
                    .refused(
                        status: status,
                        retryAfter: (task.response as? HTTPURLResponse)?
                            .value(forHTTPHeaderField: "Retry-After"))
                } else {
                    SocketError(error)
                }
            finish(task, .failure(failure))
        }

        private final class Connection: SocketConnection {
            let events: AsyncStream<SocketEvent>
            private let task: URLSessionWebSocketTask

            /// `closure`: what the delegate was told about the end.
            init(_ task: URLSessionWebSocketTask, closure: @escaping @Sendable (Int) -> SocketClosure?) {
                self.task = task
                let (events, continuation) = AsyncStream.makeStream(of: SocketEvent.self)
                self.events = events
                let pump = Task {
                    do {
                        while true {
                            switch try await task.receive() {
                            case .string(let text): continuation.yield(.text([UInt8](text.utf8)))
                            case .data(let data): continuation.yield(.text([UInt8](data)))
                            @unknown default: continue
                            }
                        }
                    } catch {
                        continuation.yield(.closed(closure(task.taskIdentifier) ?? SocketClosure(error)))
                        continuation.finish()
                        task.cancel()
                    }
                }
                continuation.onTermination = { reason in
                    guard case .cancelled = reason else { return }
                    pump.cancel()
                    task.cancel(with: .goingAway, reason: nil)
                }
            }

            func send(_ text: [UInt8]) async throws(SocketError) {
                do {
                    try await task.send(.string(String(decoding: text, as: UTF8.self)))
                } catch {
                    throw .closed
                }
            }

            func close(code: UInt16) {
                task.cancel(with: .init(rawValue: Int(code)) ?? .normalClosure, reason: nil)
            }
        }
    }

    extension SocketClosure {
        fileprivate init(_ error: any Error) {
            let error = error as NSError
            let isTooLong = error.domain == NSPOSIXErrorDomain && error.code == Int(EMSGSIZE)
            self = isTooLong ? .messageTooLarge : .lost("\(error.domain) \(error.code)")
        }
    }

    extension SocketError {
        fileprivate init(_ error: (any Error)?) {
            guard let error else { self = .noConnection("the handshake ended"); return }
            let failure = TransportError(error)
            self =
                switch failure.kind {
                case .timedOut: .timedOut
                case .tls: .tls(failure.message)
                case .cancelled: .cancelled
                case .noConnection, .answerTooLarge, .malformed: .noConnection(failure.message)
                }
        }
    }
#endif
