import ChatterModel
import WebSockets

extension HTTPResponse {
    /// A value as JSON. `Nothing` with 204 has no body.
    static func json(_ value: some Encodable, status: Int = 200) throws -> HTTPResponse {
        if status == 204 { return HTTPResponse(status: 204) }
        return HTTPResponse(status: status, headers: jsonHeaders, body: try Wire.encode(value))
    }

    /// An error as the contract spells it.
    static func error(_ error: APIError, headers: [(String, String)] = []) -> HTTPResponse {
        var headers = headers + jsonHeaders
        if let seconds = error.retryAfter { headers.append((Headers.retryAfter, String(seconds))) }
        if error.code.status == 401 { headers.append(("WWW-Authenticate", "Bearer")) }
        do {
            return HTTPResponse(
                status: error.code.status, headers: headers, body: try Wire.encode(ErrorBody(error)))
        } catch {
            // Strings always encode; without a body the status still tells.
            return HTTPResponse(status: 500)
        }
    }

    /// Answers hold what one person may see, and change.
    private static let jsonHeaders = [
        ("Content-Type", "application/json"), ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
    ]
}
