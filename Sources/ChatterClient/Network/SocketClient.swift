import ChatterModel
import Foundation

/// Opens live connections for the signed-in account.
struct SocketClient: LiveConnector {
    let serverURL: URL
    let clientKey: String
    let transport: any SocketTransport
    let tokens: TokenRefresher
    let serverTime: ServerTime
    let decoder: FrameDecoder

    /// One attempt, with a token that was refreshed when needed. A refused token is remembered, so that the next
    /// attempt, which the caller paces, refreshes first.
    func connect() async throws(ClientError) -> any LiveLink {
        let current = try await tokens.current()
        let token = current.text
        let connection: any SocketConnection
        do {
            connection = try await transport.connect(try request(token))
        } catch let error as SocketError {
            let error = ClientError(error, now: serverTime.now)
            if error.status == 401 { await tokens.reject(token) }
            throw error
        } catch {
            throw error as? ClientError ?? ClientError(.invalid, "\(error)")
        }
        return LiveSocket(connection: connection, tokenEndsAt: current.endsAt, decoder: decoder) {
            [tokens] code in
            switch code {
            // `signedOut` too: the refresh tells whether it is true.
            case .tokenExpired, .signedOut: await tokens.reject(token)
            case .restarting, .tooLarge, .slowConsumer, .malformed, .flooding, nil: break
            }
        }
    }

    /// The token that was refused is known as such from the handshake, the close code, or the call.
    func refreshToken() async throws(ClientError) -> Duration { try await tokens.current().endsAt }

    private func request(_ token: String) throws(ClientError) -> SocketRequest {
        let url = try URLBuilder.url(serverURL, path: "/v1/ws")
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: false) else {
            throw ClientError(.invalid, "no socket URL can be made")
        }
        parts.scheme = parts.scheme?.lowercased() == "http" ? "ws" : "wss"
        guard let socketURL = parts.url else { throw ClientError(.invalid, "no socket URL can be made") }
        return SocketRequest(
            url: socketURL,
            headers: [Headers.clientKey: clientKey, Headers.authorization: "Bearer \(token)"],
            messageLimit: Self.messageLimit)
    }

    /// Twice what the server may send: `URLSessionWebSocketTask` stops at 1 MiB unless told.
    static let messageLimit = 2 * Limits.frameBytes
}
