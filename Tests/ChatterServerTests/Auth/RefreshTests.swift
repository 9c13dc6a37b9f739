import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterServer

/// The matrix of refreshing: which token, whether the newest pair was used, how long ago.
@Suite("Refreshing tokens", .timeLimit(.minutes(5)))
struct RefreshTests {
    let server: TestServer
    var device: TestDevice

    init() async throws {
        server = try await TestServer()
        device = try await server.signIn(phone: server.newPhone())
    }

    private func refresh(_ token: String) async throws -> TokenPair {
        try await server.anonymous.call(Routes.refresh, body: RefreshTokens(refreshToken: token))
    }

    /// Any call that needs an account.
    private func use(_ accessToken: String) async throws -> [Device] {
        var caller = server.anonymous
        caller.accessToken = accessToken
        return try await caller.call(Routes.devices).items
    }

    @Test("The newest refresh token makes a new pair, and the new access token opens")
    func rotation() async throws {
        let pair = try await refresh(device.refreshToken)
        #expect(pair.refreshToken != device.refreshToken)
        #expect(pair.accessToken != device.accessToken)
        #expect(pair.expiresIn == 3600)
        _ = try await use(pair.accessToken)
    }

    // Field case 49
    @Test("A lost answer is given again: the same pair, as often as it is asked for, while it is unused")
    func lostAnswer() async throws {
        _ = try await use(device.accessToken)
        let first = try await refresh(device.refreshToken)
        server.clock.advance(by: .seconds(1))
        let second = try await refresh(device.refreshToken)
        server.clock.advance(by: .seconds(298))
        let third = try await refresh(device.refreshToken)
        #expect(second.accessToken == first.accessToken && second.refreshToken == first.refreshToken)
        #expect(third.accessToken == first.accessToken && third.refreshToken == first.refreshToken)
        #expect(third.expiresIn == 3600 - 299)
        _ = try await use(third.accessToken)
    }

    @Test(
        "Hours later the lost answer still does not sign anybody out: same refresh token, living access token"
    )
    func lostAnswerMuchLater() async throws {
        let first = try await refresh(device.refreshToken)
        server.clock.advance(by: .seconds(7200))
        let second = try await refresh(device.refreshToken)
        #expect(second.refreshToken == first.refreshToken)
        #expect(second.accessToken != first.accessToken)
        #expect(second.expiresIn == 3600)
        _ = try await use(second.accessToken)
    }

    // Field case 49
    @Test("After the new pair was used, the old refresh token is a replay: the device is signed out")
    func replayAfterUse() async throws {
        let pair = try await refresh(device.refreshToken)
        let connection = try device.connect()
        _ = try await use(pair.accessToken)
        await refused(.refreshRejected) { try await refresh(device.refreshToken) }
        await refused(.tokenInvalid) { try await use(pair.accessToken) }
        await refused(.refreshRejected) { try await refresh(pair.refreshToken) }
        #expect(connection.closeCode == .signedOut)
    }

    @Test("Using only the new refresh token also ends the old one")
    func replayAfterSecondRefresh() async throws {
        let first = try await refresh(device.refreshToken)
        let second = try await refresh(first.refreshToken)
        await refused(.refreshRejected) { try await refresh(device.refreshToken) }
        await refused(.refreshRejected) { try await refresh(second.refreshToken) }
    }

    @Test("The use of a pair is remembered by the database, not by memory alone")
    func useIsStored() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("test.db").path
        let first = try await TestServer { $0.databasePath = path }
        let device = try await first.signIn(phone: first.newPhone())
        let pair = try await first.anonymous.call(
            Routes.refresh, body: RefreshTokens(refreshToken: device.refreshToken))
        var caller = first.anonymous
        caller.accessToken = pair.accessToken
        _ = try await caller.call(Routes.devices)
        await first.stop()
        let second = try await TestServer { $0.databasePath = path }
        let again = TestCaller(server: second.server, clientKey: first.clientKey)
        await refused(.refreshRejected) {
            try await again.call(Routes.refresh, body: RefreshTokens(refreshToken: device.refreshToken))
        }
        await second.stop()
    }

    @Test(
        "Thirty calls on their way during a refresh all pass: the access token before lives on for a minute")
    func callsInFlight() async throws {
        let pair = try await refresh(device.refreshToken)
        _ = try await use(pair.accessToken)
        for _ in 0..<30 { _ = try await use(device.accessToken) }
        server.clock.advance(by: .seconds(61))
        await refused(.tokenExpired) { try await use(device.accessToken) }
        _ = try await use(pair.accessToken)
    }

    // Field case 48
    @Test("Refreshes at the same moment all get the same pair")
    func concurrentRefreshes() async throws {
        let (token, server) = (device.refreshToken, server)
        let pairs = try await withThrowingTaskGroup(of: TokenPair.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await server.anonymous.call(Routes.refresh, body: RefreshTokens(refreshToken: token))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(pairs.map(\.refreshToken)).count == 1)
        _ = try await use(pairs[0].accessToken)
    }

    @Test(
        "A refresh token of another workspace, another server or a made-up one is rejected and harms nobody")
    func foreignTokens() async throws {
        let other = try await server.server.createWorkspace(named: "other")
        var stranger = server.anonymous
        stranger.clientKey = other.clientKey
        let token = device.refreshToken
        await refused(.refreshRejected) {
            try await stranger.call(Routes.refresh, body: RefreshTokens(refreshToken: token))
        }
        for made in [
            "", "chr_", "chr_AAAA", device.accessToken, token + "A", "chr_" + token.dropFirst(4).reversed(),
        ] {
            await refused(.refreshRejected) { try await refresh(made) }
        }
        _ = try await refresh(token)
    }

    @Test("An open socket lives as long as the refreshed tokens")
    func socketLivesOn() async throws {
        let connection = try device.connect()
        server.clock.advance(by: .seconds(3000))
        _ = try await refresh(device.refreshToken)
        server.clock.advance(by: .seconds(3000))
        #expect(connection.closeCode == nil)
        server.clock.advance(by: .seconds(700))
        #expect(connection.closeCode == .tokenExpired)
    }
}
