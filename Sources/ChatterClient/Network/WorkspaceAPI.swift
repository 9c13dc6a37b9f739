import ChatterModel
import Foundation

/// Typed REST calls that carry the client key, and a token when one is given: encodes, sends, decodes, classifies.
struct WorkspaceAPI: Sendable {
    let serverURL: URL
    let clientKey: String
    let transport: any HTTPTransport
    let serverTime: ServerTime

    /// - Parameters:
    ///   - path: values of the path's parameters by name.
    ///   - query: names without a value are left out.
    func call<Body, Reply>(
        _ endpoint: Endpoint<Body, Reply>, _ body: Body, path: [String: String] = [:],
        query: KeyValuePairs<String, String?> = [:], token: String? = nil, epoch: ID<Epoch>? = nil,
        timeout: Duration = .seconds(30)
    ) async throws(ClientError) -> Reply {
        var request = try request(endpoint, body, path: path, query: query, token: token, timeout: timeout)
        request.headers[Headers.epoch] = epoch?.rawValue
        let response: HTTPResponse
        do {
            response = try await transport.perform(request)
        } catch {
            throw ClientError(error)
        }
        if let date = response[header: "Date"] { serverTime.observe(dateHeader: date) }
        guard FailureClass(status: response.status) == .success else {
            throw ClientError(response, now: serverTime.now)
        }
        return try Self.decode(Reply.self, response)
    }

    private func request<Body, Reply>(
        _ endpoint: Endpoint<Body, Reply>, _ body: Body, path: [String: String],
        query: KeyValuePairs<String, String?>, token: String?, timeout: Duration
    ) throws(ClientError) -> HTTPRequest {
        let url = try URLBuilder.url(serverURL, path: endpoint.path, parameters: path, query: query)
        var request = HTTPRequest(method: endpoint.method, url: url, timeout: timeout)
        request.headers["Accept"] = "application/json"
        if endpoint.access != .open { request.headers[Headers.clientKey] = clientKey }
        if let token { request.headers[Headers.authorization] = "Bearer \(token)" }
        if Body.self != Nothing.self {
            request.headers["Content-Type"] = "application/json"
            do {
                request.body = try Wire.encode(body)
            } catch {
                throw ClientError(.invalid, "the body of \(endpoint.path) cannot be encoded")
            }
        }
        return request
    }

    private static func decode<Reply: Decodable>(
        _ type: Reply.Type, _ response: HTTPResponse
    ) throws(ClientError) -> Reply {
        if let nothing = Nothing() as? Reply { return nothing }
        do {
            return try Wire.decode(type, from: response.body)
        } catch {
            // The decoder's own text quotes values; the type is all that may be told.
            throw ClientError(.fault, "the answer is no \(type)")
        }
    }
}
