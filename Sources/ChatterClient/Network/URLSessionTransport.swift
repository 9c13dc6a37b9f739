import ChatterModel
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The live HTTP transport: no cache, no cookies, no redirects (they could carry the token to another host).
final class URLSessionTransport: HTTPTransport {
    private let session: URLSession
    private let exchanges = Exchanges()

    init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpMaximumConnectionsPerHost = 4
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    func perform(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let task = session.dataTask(with: Self.urlRequest(request))
        let exchange = Exchange(limit: request.answerLimit, task: task)
        exchanges.add(exchange)
        defer { exchanges.remove(exchange) }
        let timer = DispatchWorkItem { exchange.fail(TransportError(.timedOut, "no whole answer in time")) }
        DispatchQueue.global().asyncAfter(deadline: .now() + request.timeout.seconds, execute: timer)
        defer { timer.cancel() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { exchange.start($0) }
        } onCancel: {
            exchange.fail(TransportError(.cancelled, "cancelled"))
        }
        return try result.get()
    }

    func close() { session.invalidateAndCancel() }

    private static func urlRequest(_ request: HTTPRequest) -> URLRequest {
        var urlRequest = URLRequest(url: request.url)
        urlRequest.httpMethod = request.method.rawValue
        urlRequest.httpBody = request.body.map { Data($0) }
        // Of inactivity; the whole exchange has a timer of its own.
        urlRequest.timeoutInterval = request.timeout.seconds
        for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
        return urlRequest
    }
}
