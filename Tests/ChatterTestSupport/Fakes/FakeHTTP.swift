import ChatterClient
import ChatterModel
import Foundation
import Testing

/// An HTTP transport that answers as a test says, and records an issue for a call that no test expected.
public final class FakeHTTP: HTTPTransport, @unchecked Sendable {  // the variables are guarded by `lock`
    public typealias Answer = @Sendable (HTTPRequest) async throws(TransportError) -> HTTPResponse

    private let lock = NSLock()
    private var answers: [String: Answer] = [:]
    private var received: [HTTPRequest] = []

    public init() {}

    /// Answers every call of `endpoint`, whatever its path parameters; a later one replaces it.
    public func on<Body, Reply>(_ endpoint: Endpoint<Body, Reply>, _ answer: @escaping Answer) {
        lock.withLock { answers["\(endpoint.method.rawValue) \(endpoint.path)"] = answer }
    }

    public func on<Body, Reply>(_ endpoint: Endpoint<Body, Reply>, reply: Reply) {
        on(endpoint) { _ in .json(reply, status: endpoint.status) }
    }

    public func on<Body, Reply>(_ endpoint: Endpoint<Body, Reply>, error: APIError) {
        on(endpoint) { _ in .error(error) }
    }

    /// Every request so far, in order.
    public var requests: [HTTPRequest] { lock.withLock { received } }

    public func requests<Body, Reply>(to endpoint: Endpoint<Body, Reply>) -> [HTTPRequest] {
        requests.filter { Self.matches("\(endpoint.method.rawValue) \(endpoint.path)", $0) }
    }

    public func perform(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let answer = lock.withLock {
            received.append(request)
            return answers.first { Self.matches($0.key, request) }?.value
        }
        guard let answer else {
            Issue.record("no answer for \(request.method.rawValue) \(request.url.path)")
            throw TransportError(.noConnection, "unexpected call")
        }
        return try await answer(request)
    }

    public func close() {}

    private static func matches(_ pattern: String, _ request: HTTPRequest) -> Bool {
        let pattern = pattern.split(separator: " ").flatMap { $0.split(separator: "/") }
        // As sent: a decoded path would have segments that are none.
        let sent = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.percentEncodedPath ?? ""
        let path = [request.method.rawValue[...]] + sent.split(separator: "/")
        return pattern.count == path.count
            && zip(pattern, path).allSatisfy { $0.0.hasPrefix("{") || $0.0 == $0.1 }
    }
}

extension HTTPResponse {
    public static func json(_ value: some Encodable, status: Int = 200) -> HTTPResponse {
        do {
            return HTTPResponse(
                status: status, headers: ["Content-Type": "application/json"], body: try Wire.encode(value))
        } catch {
            Issue.record("the answer cannot be encoded: \(error)")
            return HTTPResponse(status: 500)
        }
    }

    public static func error(_ error: APIError) -> HTTPResponse {
        var response = json(ErrorBody(error), status: error.code.status)
        if let seconds = error.retryAfter {
            response = HTTPResponse(
                status: response.status, headers: ["Retry-After": "\(seconds)"], body: response.body)
        }
        return response
    }
}

extension HTTPRequest {
    /// The bearer token it carries.
    public var token: String? {
        headers[Headers.authorization].map { String($0.dropFirst("Bearer ".count)) }
    }

    public func decoded<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try Wire.decode(type, from: body ?? [])
    }
}
