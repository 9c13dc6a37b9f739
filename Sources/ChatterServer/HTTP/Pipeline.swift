import ChatterModel
import Foundation
import WebSockets

/// From a request to its answer: route, caller, limits, body, handler, errors.
struct Pipeline: Sendable {
    private let routes: RouteTable
    private let access: AccessCheck
    private let limiter: RateLimiter
    private let metrics: Metrics
    private let trustsForwardedFor: Bool
    private let log: Log

    init(routes: RouteTable, _ services: Services) {
        self.routes = routes
        access = services.access
        limiter = services.limiter
        metrics = services.metrics
        trustsForwardedFor = services.configuration.trustsForwardedFor
        log = services.log
    }

    static let liveStreamPath = "/v1/ws"

    func handle(_ request: HTTPRequest) async -> HTTPResponse {
        let request = addressed(request)
        var (answer, route) = await answer(to: request)
        metrics.request(route: route, status: answer.status)
        // The listener states the length of what it sends; a HEAD's answer has no body to send.
        if request.method == "HEAD" { answer.body = [] }
        return answer
    }

    /// With the address that limits count.
    func addressed(_ request: HTTPRequest) -> HTTPRequest {
        var request = request
        if trustsForwardedFor { request.takeForwardedAddress() }
        return request
    }

    /// With the route's pattern for the metrics, never the path: paths hold ids.
    private func answer(to request: HTTPRequest) async -> (HTTPResponse, route: String) {
        switch routes.match(method: request.method, path: request.path) {
        case .notFound where request.path == Self.liveStreamPath:
            return (Self.upgradeRequired, Self.liveStreamPath)
        case .notFound:
            return (.error(APIError(.notFound, "no such path")), "none")
        case .wrongMethod(let allowed):
            let error = APIError(.methodNotAllowed, "not with this method")
            return (.error(error, headers: [("Allow", allowed.joined(separator: ", "))]), "none")
        case .found(let route, let parameters):
            return (await run(route, request, parameters), route.name)
        }
    }

    private static let upgradeRequired = HTTPResponse.error(
        APIError(.upgradeRequired, "this is a WebSocket"),
        headers: [("Upgrade", "websocket"), ("Connection", "Upgrade")])

    private func run(_ route: Route, _ request: HTTPRequest, _ parameters: [String: String]) async
        -> HTTPResponse
    {
        do {
            let caller = try limiter.countingRefusals(of: request.remoteAddress) {
                try access.caller(CallHeaders(request.headers), for: route.access)
            }
            try take(route.limit ?? .calls, caller, request)
            if route.readsBody { try checkBody(request) }
            return try await route.run(caller, request, parameters)
        } catch {
            return .error(apiError(error, route.name))
        }
    }

    private func take(_ limit: RateLimit, _ caller: Caller, _ request: HTTPRequest) throws {
        switch caller {
        case .anyone: return
        case .workspace: try limiter.take(limit, address: request.remoteAddress)
        case .user(let session): try limiter.take(limit, for: session.user.rawValue)
        }
    }

    private func checkBody(_ request: HTTPRequest) throws {
        guard request.body.count <= ChatterModel.Limits.requestBytes else {
            throw APIError(.payloadTooLarge, "at most \(ChatterModel.Limits.requestBytes) bytes")
        }
        let type = (request.headers["content-type"] ?? "").split(separator: ";").first.map(String.init) ?? ""
        guard type.trimmingCharacters(in: .whitespaces).lowercased() == "application/json" else {
            throw APIError(.unsupportedMediaType, "send application/json")
        }
    }

    /// What leaves the server: handlers' own errors as they are, everything else without its words.
    func apiError(_ error: any Error, _ route: String) -> APIError {
        if let error = error as? APIError { return error }
        log.error("request failed", ["route": .place(route), "cause": .error(error)])
        return APIError(.internalError, "internal error")
    }
}

extension HTTPRequest {
    /// What the proxy in front of this server saw: the last address is its own word, those before are hearsay.
    mutating func takeForwardedAddress() {
        guard let last = headers["x-forwarded-for"]?.split(separator: ",").last else { return }
        let address = last.trimmingCharacters(in: .whitespaces)
        self = HTTPRequest(
            method: method, path: path, query: query, headers: headers, body: body, remoteAddress: address)
    }
}
