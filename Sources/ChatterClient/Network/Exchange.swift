import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request under way: collects the answer and ends exactly once.
final class Exchange: @unchecked Sendable {  // every variable is guarded by `lock`
    typealias Outcome = Result<HTTPResponse, TransportError>

    let task: URLSessionDataTask
    private let limit: Int
    private let lock = NSLock()
    private var continuation: CheckedContinuation<Outcome, Never>?
    private var outcome: Outcome?
    private var response: HTTPURLResponse?
    private var body: [UInt8] = []

    init(limit: Int, task: URLSessionDataTask) {
        self.limit = limit
        self.task = task
    }

    func start(_ continuation: CheckedContinuation<Outcome, Never>) {
        let early = lock.withLock {
            if outcome == nil { self.continuation = continuation }
            return outcome
        }
        // Cancelled before it began.
        if let early { return continuation.resume(returning: early) }
        task.resume()
    }

    func fail(_ error: TransportError) {
        end(.failure(error))
        task.cancel()
    }

    func received(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else {
            return fail(TransportError(.noConnection, "the answer is not HTTP"))
        }
        // A length that is announced need not be read to be refused.
        guard response.expectedContentLength <= limit else { return failTooLarge() }
        lock.withLock { self.response = response }
    }

    func received(_ data: Data) {
        let size = lock.withLock {
            body.append(contentsOf: data)
            return body.count
        }
        if size > limit { failTooLarge() }
    }

    func completed(_ error: (any Error)?) {
        if let error { return end(.failure(TransportError(error))) }
        let (response, body) = lock.withLock { (self.response, self.body) }
        guard let response else { return end(.failure(TransportError(.noConnection, "no answer"))) }
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields { headers["\(name)"] = "\(value)" }
        end(.success(HTTPResponse(status: response.statusCode, headers: headers, body: body)))
    }

    private func failTooLarge() {
        fail(TransportError(.answerTooLarge, "the answer is larger than \(limit) bytes"))
    }

    private func end(_ outcome: Outcome) {
        let waiting: CheckedContinuation<Outcome, Never>? = lock.withLock {
            guard self.outcome == nil else { return nil }
            self.outcome = outcome
            defer { continuation = nil }
            return continuation
        }
        waiting?.resume(returning: outcome)
    }
}

/// The session's delegate: hands each event to the exchange it belongs to.
final class Exchanges: NSObject, URLSessionDataDelegate, @unchecked Sendable {  // see `lock`
    /// Guards `running`.
    private let lock = NSLock()
    private var running: [Int: Exchange] = [:]

    func add(_ exchange: Exchange) {
        lock.withLock { running[exchange.task.taskIdentifier] = exchange }
    }

    func remove(_ exchange: Exchange) {
        lock.withLock { running[exchange.task.taskIdentifier] = nil }
    }

    private func exchange(_ task: URLSessionTask) -> Exchange? {
        lock.withLock { running[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        exchange(dataTask)?.received(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(dataTask)?.received(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        exchange(task)?.completed(error)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}

extension TransportError {
    /// Whatever a URL session fails with is the network's doing, but for a request that cannot be sent at all.
    init(_ error: any Error) {
        let failure = error as? URLError
        let code = failure?.code
        let kind: Kind =
            switch code {
            case .timedOut: .timedOut
            case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
                .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
                .clientCertificateRejected, .clientCertificateRequired:
                .tls
            // Not `unsupportedURL`: libcurl says that, too, of an answer that is not HTTP.
            case .badURL: .malformed
            case .cancelled: .cancelled
            default: .noConnection
            }
        // Foundation on Linux refuses such URLs up to Swift 6.3 (swift-corelibs-foundation, issue 5496).
        if code == .badURL, failure?.failingURL?.host?.contains(":") == true {
            self.init(kind, "this system cannot open URLs with an IPv6 address: use a host name")
            return
        }
        // The error's own text names the whole URL, with what a person searched for.
        self.init(kind, "URL session error \(code?.rawValue ?? 0)")
    }
}
