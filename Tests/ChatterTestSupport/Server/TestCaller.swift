import ChatterModel
import ChatterServer
import Foundation
import WebSockets

/// Calls the server's API in process, with the headers of one caller.
public struct TestCaller: Sendable {
    public let server: ChatterServer
    public var clientKey: String
    public var accessToken: String?
    public var remoteAddress = "192.0.2.1"

    public init(server: ChatterServer, clientKey: String, accessToken: String? = nil) {
        self.server = server
        self.clientKey = clientKey
        self.accessToken = accessToken
    }

    /// Throws the answer's `APIError` when it is one.
    public func call<Body, Reply>(
        _ endpoint: Endpoint<Body, Reply>, _ parameters: [String: String] = [:],
        query: [String: String] = [:],
        body: Body
    ) async throws -> Reply {
        var path = endpoint.path
        for (name, value) in parameters {
            path = path.replacingOccurrences(of: "{\(name)}", with: encode(value))
        }
        let response = await send(
            endpoint.method.rawValue, path,
            query: query.sorted { $0.key < $1.key }.map { "\($0.key)=\(encode($0.value))" }.joined(
                separator: "&"),
            body: Body.self == Nothing.self ? [] : try Wire.encode(body))
        guard response.status == endpoint.status else { throw try response.apiError }
        if let nothing = Nothing() as? Reply { return nothing }
        return try Wire.decode(Reply.self, from: response.body)
    }

    public func call<Reply>(
        _ endpoint: Endpoint<Nothing, Reply>, _ parameters: [String: String] = [:],
        query: [String: String] = [:]
    ) async throws -> Reply {
        try await call(endpoint, parameters, query: query, body: Nothing())
    }

    /// Any request; `headers` replace the caller's own.
    public func send(
        _ method: String, _ path: String, query: String = "", headers: [String: String] = [:],
        body: [UInt8] = []
    ) async -> HTTPResponse {
        await server.handle(request(method, path, query: query, headers: headers, body: body))
    }

    public func request(
        _ method: String, _ path: String, query: String = "", headers: [String: String] = [:],
        body: [UInt8] = []
    ) -> HTTPRequest {
        var all = ["x-client-key": clientKey]
        if let accessToken { all["authorization"] = "Bearer \(accessToken)" }
        if !body.isEmpty { all["content-type"] = "application/json" }
        all.merge(headers) { $1 }
        return HTTPRequest(
            method: method, path: path, query: query, headers: all, body: body, remoteAddress: remoteAddress)
    }

    private func encode(_ text: String) -> String {
        text.addingPercentEncoding(
            withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-._~")))
            ?? text
    }
}

extension HTTPResponse {
    /// The error that this answer carries. Throws when it carries none that the contract knows.
    public var apiError: APIError {
        get throws {
            let content = try Wire.decode(ErrorBody.self, from: body).error
            guard let code = ErrorCode(rawValue: content.code), code.status == status else {
                throw UnexpectedAnswer(status: status, body: String(decoding: body, as: UTF8.self))
            }
            return APIError(
                code, content.message, details: content.details,
                retryAfter: header("Retry-After").flatMap { Int($0) })
        }
    }

    public func header(_ name: String) -> String? {
        headers.first { $0.0.lowercased() == name.lowercased() }?.1
    }
}

public struct UnexpectedAnswer: Error {
    public let status: Int
    public let body: String
}
