import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterClient

@Suite("Refreshing the tokens", .timeLimit(.minutes(5)))
struct TokenRefresherTests {
    private let rig = NetworkRig()

    @Test("A fresh token is used as it is")
    func fresh() async throws {
        let tokens = try await rig.tokens()
        #expect(try await tokens.accessToken() == "access-1")
        #expect(rig.http.requests.isEmpty)
    }

    @Test("A token is renewed when less than a minute is left, not before")
    func beforeExpiry() async throws {
        rig.serveRefresh()
        let tokens = try await rig.tokens()
        rig.clock.advance(by: .seconds(3600 - 61))
        #expect(try await tokens.accessToken() == "access-1")
        rig.clock.advance(by: .seconds(2))
        #expect(try await tokens.accessToken() == "access-2")
        #expect(try await rig.secrets.session()?.refreshToken == "refresh-2")
    }

    @Test("A device clock that jumps changes nothing while the client runs")
    func wallClockJumps() async throws {
        rig.serveRefresh()
        let tokens = try await rig.tokens()
        rig.clock.set(rig.clock.now.advanced(by: .seconds(10 * 86_400)))
        #expect(try await tokens.accessToken() == "access-1")
        rig.clock.set(rig.clock.now.advanced(by: .seconds(-20 * 86_400)))
        rig.clock.advance(by: .seconds(3590))
        #expect(try await tokens.accessToken() == "access-2")
    }

    @Test(
        "After a relaunch the stored time is only believed when it can be true",
        arguments: [(0, false), (3500, false), (3560, true), (90 * 86_400, true), (-1, true)])
    func relaunch(secondsLater: Int, refreshes: Bool) async throws {
        rig.serveRefresh()
        let session = rig.session()
        rig.clock.set(rig.clock.now.advanced(by: .seconds(secondsLater)))
        let tokens = try await rig.tokens(session)
        #expect(try await tokens.accessToken() == (refreshes ? "access-2" : "access-1"))
    }

    // Field case 48
    @Test("Callers at the same time share one refresh")
    func singleFlight() async throws {
        let gate = Gate()
        rig.serveRefresh { _ in await gate.pass() }
        let tokens = try await rig.tokens()
        rig.clock.advance(by: .seconds(3600))
        let callers = (0..<50).map { _ in Task { try await tokens.accessToken() } }
        await gate.open()
        for caller in callers { #expect(try await caller.value == "access-2") }
        #expect(rig.http.requests.count == 1)
    }

    @Test("A caller that is cancelled does not take the refresh from the others")
    func cancelledCaller() async throws {
        let gate = Gate()
        rig.serveRefresh { _ in await gate.pass() }
        let tokens = try await rig.tokens()
        rig.clock.advance(by: .seconds(3600))
        let first = Task { try await tokens.accessToken() }
        let second = Task { try await tokens.accessToken() }
        first.cancel()
        await gate.open()
        #expect(try await second.value == "access-2")
    }

    @Test("A lost reply is asked for again with the old token, and nobody is signed out")
    func lostReply() async throws {
        let attempts = Counter()
        rig.serveRefresh { _ throws(TransportError) in
            if attempts.increment() == 1 { throw TransportError(.noConnection, "reset") }
        }
        let tokens = try await rig.tokens()
        rig.clock.advance(by: .seconds(3600))
        #expect(
            await clientError { () throws(ClientError) in try await tokens.accessToken() }?.kind == .outage)
        #expect(try await rig.secrets.session()?.refreshToken == "refresh-1")
        #expect(try await tokens.accessToken() == "access-2")
        let asked = try rig.http.requests.map { try $0.decoded(RefreshTokens.self).refreshToken }
        #expect(asked == ["refresh-1", "refresh-1"])
        #expect(rig.refusals.value == 0)
    }

    // Field case 49
    @Test(
        "No failure but a refusal of the refresh itself signs out",
        arguments: [400, 404, 408, 425, 429, 500, 502, 503, 504, 418])
    func otherFailures(status: Int) async throws {
        rig.http.on(Routes.refresh) { _ in HTTPResponse(status: status) }
        let tokens = try await rig.tokens()
        rig.clock.advance(by: .seconds(3600))
        let error = await clientError { () throws(ClientError) in try await tokens.accessToken() }
        #expect(error != nil && error?.kind != .signedOut)
        #expect(rig.refusals.value == 0)
        rig.serveRefresh()
        #expect(try await tokens.accessToken() == "access-2")
    }

    @Test(
        "A refusal of the refresh signs out once, and nothing is asked any more",
        arguments: [ErrorCode.refreshRejected, .tokenInvalid, .forbidden])
    func refused(code: ErrorCode) async throws {
        rig.http.on(Routes.refresh, error: APIError(code, "no"))
        let tokens = try await rig.tokens()
        rig.clock.advance(by: .seconds(3600))
        for _ in 0..<3 {
            let error = await clientError { () throws(ClientError) in try await tokens.accessToken() }
            #expect(error?.kind == .signedOut)
        }
        #expect(rig.refusals.value == 1)
        #expect(rig.http.requests.count == 1)
    }

    @Test("Neither a wrong client key nor a firewall's 403 signs out")
    func notTheAccount() async throws {
        let tokens = try await rig.tokens()
        rig.clock.advance(by: .seconds(3600))
        rig.http.on(Routes.refresh, error: APIError(.clientKeyInvalid, "who?"))
        let wrongKey = await clientError { () throws(ClientError) in try await tokens.accessToken() }
        #expect(wrongKey?.kind == .clientKeyRefused)
        rig.http.on(Routes.refresh) { _ in HTTPResponse(status: 403, body: Array("<html>".utf8)) }
        _ = await clientError { () throws(ClientError) in try await tokens.accessToken() }
        #expect(rig.refusals.value == 0)
        rig.serveRefresh()
        #expect(try await tokens.accessToken() == "access-2")
    }

    @Test("A pair that cannot be saved is not used")
    func savedBeforeUse() async throws {
        rig.serveRefresh()
        let secrets = rig.secrets
        rig.http.on(Routes.refresh) { _ in
            secrets.fail(with: ClientError(.storage(isTransient: true), "disk full"))
            return .json(TokenPair(accessToken: "access-2", refreshToken: "refresh-2", expiresIn: 3600))
        }
        let tokens = try await rig.tokens()
        rig.clock.advance(by: .seconds(3600))
        let error = await clientError { () throws(ClientError) in try await tokens.accessToken() }
        #expect(error?.kind == .storage(isTransient: true))
        secrets.fail(with: nil)
        #expect(try await secrets.session()?.refreshToken == "refresh-1")
        rig.serveRefresh()
        #expect(try await tokens.accessToken() == "access-2")
    }

    @Test("A pair that another process stored is taken without asking")
    func otherProcess() async throws {
        let tokens = try await rig.tokens()
        rig.clock.advance(by: .seconds(3600))
        try await rig.secrets.save(rig.session(7))
        #expect(try await tokens.accessToken() == "access-7")
        #expect(rig.http.requests.isEmpty)
    }

    @Test("Tokens without a life are not asked for again and again")
    func noLife() async throws {
        rig.http.on(
            Routes.refresh, reply: TokenPair(accessToken: "a", refreshToken: "r", expiresIn: 0))
        let tokens = try await rig.tokens()
        rig.clock.advance(by: .seconds(3600))
        #expect(try await tokens.accessToken() == "a")
        #expect(rig.http.requests.count == 1)
    }

    @Test("Printing a session shows no token")
    func printing() {
        let session = rig.session()
        for text in ["\(session)", String(reflecting: session), "\([session])"] {
            #expect(!text.contains("access-1") && !text.contains("refresh-1"))
        }
        var dumped = ""
        dump(session, to: &dumped)
        #expect(!dumped.contains("access-1") && !dumped.contains("refresh-1"))
    }
}
