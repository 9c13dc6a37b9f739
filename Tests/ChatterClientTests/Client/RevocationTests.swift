import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterClient

@Suite("Telling the server about an end that it missed", .timeLimit(.minutes(5)))
struct RevocationTests {
    private let rig = NetworkRig()

    private func revocations() throws -> Revocations {
        let configuration = ClientConfiguration(
            serverURL: NetworkRig.url, clientKey: "key-1", directory: NetworkRig.url,
            device: DeviceDescription(name: "test", platform: "test"))
        let seams = ClientSeams(
            http: { [http = rig.http] _ throws(ClientError) in http },
            sockets: { _ throws(ClientError) in FakeSockets() },
            secrets: { [secrets = rig.secrets] _ throws(ClientError) in secrets },
            reachability: FakeReachability(), clock: rig.clock, random: .seeded(1))
        return Revocations(secrets: rig.secrets, network: try ClientNetwork(configuration, seams: seams))
    }

    @Test("It is told with the session's own token, once")
    func told() async throws {
        rig.http.on(Routes.logOut) { _ in HTTPResponse(status: 204) }
        let revocations = try revocations()
        try await revocations.remember(rig.session())
        try await revocations.remember(rig.session())
        #expect(try await revocations.attempt())
        #expect(rig.http.requests.map(\.token) == ["access-1"])
        #expect(rig.secrets.isEmpty)
    }

    @Test("An ended token is renewed for it, and the new pair is not lost by a failure after that")
    func renewed() async throws {
        rig.serveRefresh()
        rig.http.on(Routes.logOut) { request throws(TransportError) in
            if request.token == "access-1" { return .error(APIError(.tokenExpired, "expired")) }
            throw TransportError(.timedOut)
        }
        let revocations = try revocations()
        try await revocations.remember(rig.session())
        #expect(
            await clientError { () throws(ClientError) in try await revocations.attempt() }?.kind == .outage)
        rig.http.on(Routes.logOut) { _ in HTTPResponse(status: 204) }
        #expect(try await revocations.attempt())
        #expect(rig.http.requests(to: Routes.logOut).map(\.token) == ["access-1", "access-2", "access-2"])
        #expect(rig.secrets.isEmpty)
    }

    @Test(
        "A session that the server has ended by itself is forgotten",
        arguments: [ErrorCode.tokenInvalid, .notFound, .forbidden])
    func over(code: ErrorCode) async throws {
        rig.http.on(Routes.logOut, error: APIError(code, "no"))
        rig.http.on(Routes.refresh, error: APIError(.refreshRejected, "no"))
        let revocations = try revocations()
        try await revocations.remember(rig.session())
        #expect(try await revocations.attempt())
        #expect(rig.secrets.isEmpty)
    }

    @Test("An outage is waited out, at a growing distance, and known for the status until then")
    func outage() async throws {
        let attempts = Counter()
        rig.http.on(Routes.logOut) { _ throws(TransportError) in
            if attempts.increment() < 4 { throw TransportError(.noConnection) }
            return HTTPResponse(status: 204)
        }
        let revocations = try revocations()
        try await revocations.remember(rig.session())
        await revocations.start()
        await revocations.start()
        for _ in 0..<3 {
            await rig.clock.sleepers(atLeast: 1)
            #expect(await revocations.lastError?.kind == .outage)
            await rig.clock.advanceToNextSleeper()
        }
        while await revocations.lastError != nil, !Task.isCancelled { await Task.yield() }
        #expect(rig.secrets.isEmpty)
        #expect(attempts.value == 4)
        await revocations.stop()
    }

    @Test("A client key that is refused does not make it forget")
    func wrongKey() async throws {
        rig.http.on(Routes.logOut, error: APIError(.clientKeyInvalid, "who?"))
        let revocations = try revocations()
        try await revocations.remember(rig.session())
        _ = await clientError { () throws(ClientError) in try await revocations.attempt() }
        #expect(!rig.secrets.isEmpty)
    }
}
