import ChatterModel

/// Typed REST calls of the signed-in account: adds the token, and after a 401 refreshes and tries once more. Names the
/// epoch of this device's numbers, and tells when the server refuses it.
struct APIClient: Sendable {
    let workspace: WorkspaceAPI
    let tokens: TokenRefresher
    let epoch: EpochMark

    func call<Body, Reply>(
        _ endpoint: Endpoint<Body, Reply>, _ body: Body, path: [String: String] = [:],
        query: KeyValuePairs<String, String?> = [:], timeout: Duration = .seconds(30)
    ) async throws(ClientError) -> Reply {
        let token = try await tokens.accessToken()
        do {
            return try await attempt(endpoint, body, path, query, token, timeout)
        } catch let error where error.kind == .unauthorised {
            await tokens.reject(token)
        }
        let fresh = try await tokens.accessToken()
        do {
            return try await attempt(endpoint, body, path, query, fresh, timeout)
        } catch {
            if error.kind == .unauthorised { await tokens.reject(fresh) }
            throw error
        }
    }

    private func attempt<Body, Reply>(
        _ endpoint: Endpoint<Body, Reply>, _ body: Body, _ path: [String: String],
        _ query: KeyValuePairs<String, String?>, _ token: String, _ timeout: Duration
    ) async throws(ClientError) -> Reply {
        let named = epoch.current
        do {
            return try await workspace.call(
                endpoint, body, path: path, query: query, token: token, epoch: named, timeout: timeout)
        } catch {
            if error.serverCode == ErrorCode.startOver.rawValue { epoch.refused(named) }
            throw error
        }
    }

    func call<Reply>(
        _ endpoint: Endpoint<Nothing, Reply>, path: [String: String] = [:],
        query: KeyValuePairs<String, String?> = [:], timeout: Duration = .seconds(30)
    ) async throws(ClientError) -> Reply {
        try await call(endpoint, Nothing(), path: path, query: query, timeout: timeout)
    }
}
