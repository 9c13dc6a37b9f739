import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterServer

@Suite("Who may call", .timeLimit(.minutes(5)))
struct AccessTests {
    let server: TestServer
    let device: TestDevice

    init() async throws {
        server = try await TestServer()
        device = try await server.signIn(phone: server.newPhone())
    }

    @Test("Without a workspace's key, or with a wrong one, nothing opens")
    func clientKey() async throws {
        for key in ["", "ck_nobody", String(repeating: "k", count: 5000)] {
            var caller = device.caller
            caller.clientKey = key
            await refused(.clientKeyInvalid) { try await caller.call(Routes.devices) }
        }
        let answer = await device.caller.server.handle(
            device.caller.request("GET", "/v1/devices", headers: ["x-client-key": ""]))
        #expect(answer.status == 401)
        #expect(answer.header("WWW-Authenticate") == "Bearer")
    }

    @Test("A token of one workspace does not open another")
    func otherWorkspace() async throws {
        let other = try await server.server.createWorkspace(named: "other")
        var caller = device.caller
        caller.clientKey = other.clientKey
        await refused(.tokenInvalid) { try await caller.call(Routes.devices) }
    }

    @Test(
        "Anything but a bearer token of this server is refused",
        arguments: [
            "", "Bearer", "Bearer ", "Basic abc", "Bearer cha_", "Bearer cha_AAAA", "Bearer a b", "cha_AAAA",
        ])
    func malformed(_ header: String) async throws {
        let answer = await device.caller.send("GET", "/v1/devices", headers: ["authorization": header])
        #expect(try answer.apiError.code == .tokenInvalid)
    }

    @Test("Changing any one character of a token breaks it; a refresh token is no access token")
    func tampered() async throws {
        let token = device.accessToken
        for index in token.indices {
            var changed = token
            changed.replaceSubrange(index...index, with: token[index] == "A" ? "B" : "A")
            // The last character's lowest bits are padding: another spelling of the same bytes is refused as well.
            var caller = device.caller
            caller.accessToken = changed
            await refused(.tokenInvalid) { try await caller.call(Routes.devices) }
        }
        var caller = device.caller
        caller.accessToken = device.refreshToken
        await refused(.tokenInvalid) { try await caller.call(Routes.devices) }
    }

    @Test("An access token ends after an hour, to the second")
    func expiry() async throws {
        server.clock.advance(by: .seconds(3599))
        _ = try await device.call(Routes.devices)
        server.clock.advance(by: .seconds(1))
        await refused(.tokenExpired) { try await device.call(Routes.devices) }
    }

    @Test("The demo workspace's well-known key opens nothing outside challenge mode")
    func demoKey() async throws {
        let demo = ChatterServer.demoClientKey
        _ = try await server.signIn(phone: server.newPhone(), clientKey: demo)
        let strict = try await TestServer { $0.isChallengeMode = false }
        let caller = TestCaller(server: strict.server, clientKey: demo)
        await refused(.clientKeyInvalid) {
            try await caller.call(Routes.requestCode, body: RequestCode(phone: "+14155552671"))
        }
    }

    @Test("The operator's calls need the workspace's secret; its key does not do")
    func admin() async throws {
        let keys = try await server.server.createWorkspace(named: "other")
        let caller = TestCaller(server: server.server, clientKey: keys.clientKey)
        await refused(.clientKeyInvalid) { try await caller.call(Routes.reports) }
        let wrong = await caller.send(
            "GET", "/v1/admin/reports", headers: ["x-client-secret": keys.clientKey])
        #expect(wrong.status == 401)
        let right = await caller.send(
            "GET", "/v1/admin/reports", headers: ["x-client-secret": keys.clientSecret])
        #expect(right.status == 200)
        #expect(try Wire.decode(Page<Report>.self, from: right.body).items.isEmpty)
    }
}
