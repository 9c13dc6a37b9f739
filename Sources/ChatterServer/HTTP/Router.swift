import ChatterModel
import Foundation
import WebSockets

/// Collects the server's routes. A resource registers each of its endpoints with a typed handler; who may call,
/// how a body is read and how errors travel is settled here.
final class Router {
    private(set) var routes: [Route] = []

    /// A handler for signed-in people.
    func on<Body, Reply>(
        _ endpoint: Endpoint<Body, Reply>, limit: RateLimit? = nil,
        _ handler: @escaping @Sendable (Call, Body) async throws -> Reply
    ) {
        precondition(
            endpoint.access == .user || endpoint.access == .account, "\(endpoint.path) has no caller")
        add(endpoint, limit) { caller, request, parameters in
            guard case .user(let session) = caller else { throw APIError(.internalError, "no caller") }
            let call = Call(
                workspace: session.workspace, user: session.user, device: session.device,
                parameters: parameters, query: Query(request.query), remoteAddress: request.remoteAddress)
            return try .json(await handler(call, request.decode(Body.self)), status: endpoint.status)
        }
    }

    /// A handler for an app without an account yet, or for the operator.
    func onWorkspace<Body, Reply>(
        _ endpoint: Endpoint<Body, Reply>, limit: RateLimit? = nil,
        _ handler: @escaping @Sendable (WorkspaceCall, Body) async throws -> Reply
    ) {
        precondition(
            endpoint.access == .workspace || endpoint.access == .admin, "\(endpoint.path) needs an account")
        add(endpoint, limit) { caller, request, parameters in
            guard case .workspace(let workspace) = caller else { throw APIError(.internalError, "no caller") }
            let call = WorkspaceCall(
                workspace: workspace, parameters: parameters, query: Query(request.query),
                remoteAddress: request.remoteAddress)
            return try .json(await handler(call, request.decode(Body.self)), status: endpoint.status)
        }
    }

    /// A handler that everybody may call.
    func onOpen<Reply>(
        _ endpoint: Endpoint<Nothing, Reply>, _ handler: @escaping @Sendable () async throws -> Reply
    ) {
        precondition(endpoint.access == .open, "\(endpoint.path) is not open")
        add(endpoint, nil) { _, _, _ in try .json(await handler(), status: endpoint.status) }
    }

    /// An answer that is not JSON.
    func onPage(_ path: String, _ handler: @escaping @Sendable () async throws -> HTTPResponse) {
        routes.append(
            Route(
                method: .get, pattern: PathPattern(path), access: .open, limit: nil, readsBody: false
            ) { _, _, _ in try await handler() })
    }

    private func add<Body, Reply>(
        _ endpoint: Endpoint<Body, Reply>, _ limit: RateLimit?, _ run: @escaping Route.Run
    ) {
        routes.append(
            Route(
                method: endpoint.method, pattern: PathPattern(endpoint.path), access: endpoint.access,
                limit: limit, readsBody: Body.self != Nothing.self, run: run))
    }
}

/// One registered endpoint.
struct Route: Sendable {
    typealias Run = @Sendable (Caller, HTTPRequest, [String: String]) async throws -> HTTPResponse

    let method: HTTPMethod
    let pattern: PathPattern
    let access: Access
    let limit: RateLimit?
    /// False for `Nothing`: whatever comes as a body is then not looked at.
    let readsBody: Bool
    let run: Run

    /// As metrics and logs call it.
    var name: String { "\(method.rawValue) \(pattern.text)" }
}

/// Who is calling, once it is known.
enum Caller: Sendable {
    case anyone
    case workspace(ID<Workspace>)
    case user(Session)
}

/// `/v1/friends/{userId}` as segments.
struct PathPattern: Sendable {
    enum Segment: Sendable, Equatable {
        case fixed(String)
        case named(String)
    }

    let text: String
    let segments: [Segment]

    init(_ text: String) {
        self.text = text
        segments = text.split(separator: "/").map { part in
            part.hasPrefix("{") && part.hasSuffix("}")
                ? .named(String(part.dropFirst().dropLast())) : .fixed(String(part))
        }
    }
}

extension HTTPRequest {
    func decode<Body: Decodable>(_ type: Body.Type) throws -> Body {
        if let nothing = Nothing() as? Body { return nothing }
        do {
            return try Wire.decode(type, from: body)
        } catch let error as DecodingError {
            throw error.apiError
        }
    }
}

extension DecodingError {
    /// Names the field and the rule; what was sent is not repeated.
    var apiError: APIError {
        switch self {
        case .keyNotFound(let key, let context): .invalid(path(context.codingPath + [key]), "is missing")
        case .valueNotFound(_, let context): .invalid(path(context.codingPath), "must not be null")
        case .typeMismatch(_, let context): .invalid(path(context.codingPath), "has the wrong type")
        case .dataCorrupted(let context):
            context.codingPath.isEmpty
                ? APIError(.validationFailed, "the body is not valid JSON")
                : .invalid(path(context.codingPath), "is not valid")
        @unknown default: APIError(.validationFailed, "the body cannot be read")
        }
    }

    private func path(_ keys: [any CodingKey]) -> String {
        keys.isEmpty
            ? "body" : keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }
}
