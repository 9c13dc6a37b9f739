import ChatterModel
import ChatterServer

/// A signed-in device of one person.
public struct TestDevice: Sendable {
    public let server: TestServer
    public let phone: String
    public let user: ID<User>
    public let device: ID<Device>
    public let clientKey: String
    public var accessToken: String
    public var refreshToken: String

    public init(
        server: TestServer, phone: String, user: ID<User>, device: ID<Device>, clientKey: String,
        accessToken: String, refreshToken: String
    ) {
        self.server = server
        self.phone = phone
        self.user = user
        self.device = device
        self.clientKey = clientKey
        self.accessToken = accessToken
        self.refreshToken = refreshToken
    }

    public var caller: TestCaller {
        TestCaller(server: server.server, clientKey: clientKey, accessToken: accessToken)
    }

    public func call<Body, Reply>(
        _ endpoint: Endpoint<Body, Reply>, _ parameters: [String: String] = [:],
        query: [String: String] = [:],
        body: Body
    ) async throws -> Reply {
        try await caller.call(endpoint, parameters, query: query, body: body)
    }

    public func call<Reply>(
        _ endpoint: Endpoint<Nothing, Reply>, _ parameters: [String: String] = [:],
        query: [String: String] = [:]
    ) async throws -> Reply {
        try await caller.call(endpoint, parameters, query: query)
    }

    /// The same device at another server over the same database: after a restart.
    public func on(_ server: TestServer) -> TestDevice {
        TestDevice(
            server: server, phone: phone, user: user, device: device, clientKey: clientKey,
            accessToken: accessToken, refreshToken: refreshToken)
    }

    /// Opens a live connection; `session.ready` is its first frame.
    public func connect() throws -> TestConnection { try TestConnection(self) }

    /// Takes the answer to a refresh.
    public mutating func take(_ pair: TokenPair) {
        accessToken = pair.accessToken
        refreshToken = pair.refreshToken
    }
}
