import ChatterModel
import Foundation

/// From a request to its answer: route, caller, limits, body, handler, errors.
struct Pipeline: Sendable {
    let routes: RouteTable
    let access: AccessCheck
    let limiter: RateLimiter
    let log: Log

    static let liveStreamPath = "/v1/ws"

    func handle(_ request: HTTPRequest) async -> HTTPResponse {
        var answer = await answer(to: request)
        // The listener states the length of what it sends; a HEAD's answer has no body to send.
        if request.method == "HEAD" { answer.body = [] }
        return answer
    }

    private func answer(to request: HTTPRequest) async -> HTTPResponse {
        switch routes.match(method: request.method, path: request.path) {
        case .notFound where request.path == Self.liveStreamPath:
            return .error(
                APIError(.upgradeRequired, "this is a WebSocket"),
                headers: [("Upgrade", "websocket"), ("Connection", "Upgrade")])
        case .notFound:
            return .error(APIError(.notFound, "no such path"))
        case .wrongMethod(let allowed):
            return .error(
                APIError(.methodNotAllowed, "not with this method"),
                headers: [("Allow", allowed.joined(separator: ", "))])
        case .found(let route, let parameters):
            return await run(route, request, parameters)
        }
    }

    private func run(_ route: Route, _ request: HTTPRequest, _ parameters: [String: String]) async
        -> HTTPResponse
    {
        do {
            let caller = try access.caller(of: request, for: route.access)
            try take(route.limit ?? .calls, caller, request)
            if route.readsBody { try checkBody(request) }
            return try await route.run(caller, request, parameters)
        } catch {
            return .error(apiError(error, route))
        }
    }

    private func take(_ limit: RateLimit, _ caller: Caller, _ request: HTTPRequest) throws {
        switch caller {
        case .anyone: return
        case .workspace: try limiter.take(limit, for: request.remoteAddress)
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
    private func apiError(_ error: any Error, _ route: Route) -> APIError {
        if let error = error as? APIError { return error }
        log.error("request failed", ["route": .place(route.pattern.text), "cause": .error(error)])
        return APIError(.internalError, "internal error")
    }
}
