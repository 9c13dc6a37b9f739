import ChatterModel
import ChatterTestSupport
import Testing
import WebSockets

@testable import ChatterServer

@Suite("Refused credentials", .timeLimit(.minutes(5)))
struct RefusedCredentialTests {
    let server: TestServer
    let device: TestDevice
    let thief: TestCaller

    init() async throws {
        server = try await TestServer { $0.limitsRates = true }
        device = try await server.signIn(phone: server.newPhone())
        thief = TestCaller(server: server.server, clientKey: device.clientKey, accessToken: "cha_nonsense")
    }

    private func devices(_ caller: TestCaller) async -> HTTPResponse {
        await caller.send("GET", "/v1/devices")
    }

    private func exhaust() async {
        for _ in 0..<120 { #expect(await devices(thief).status == 401) }
    }

    @Test("120 of one address are answered 401; then it must wait, and waiting is enough")
    func edge() async throws {
        await exhaust()
        let answer = await devices(thief)
        #expect(answer.status == 429)
        #expect(try answer.apiError.code == .rateLimited)
        #expect(answer.header("Retry-After") == "1")
        server.clock.advance(by: .seconds(1))
        #expect(await devices(thief).status == 401)
        #expect(await devices(thief).status == 429)
    }

    @Test("Whoever is signed in behind the same address notices nothing")
    func sameAddress() async throws {
        await exhaust()
        #expect(await devices(thief).status == 429)
        #expect(await devices(device.caller).status == 200)
        #expect(try device.connect().closeCode == nil)
        // Nor does a token that has ended cost, or bring, anything but the advice to refresh it.
        server.clock.advance(by: .seconds(3600))
        await exhaust()
        for _ in 0..<2 { #expect(try await devices(device.caller).apiError.code == .tokenExpired) }
    }

    @Test("Wrong keys, wrong secrets and sockets count in the same bucket")
    func everyDoor() async throws {
        var stranger = thief
        stranger.clientKey = "ck_nobody"
        for _ in 0..<40 { #expect(await devices(stranger).status == 401) }
        for _ in 0..<40 {
            let answer = await thief.send("GET", "/v1/admin/reports", headers: ["x-client-secret": "no"])
            #expect(answer.status == 401)
        }
        var lost = device
        lost.accessToken = "cha_nonsense"
        for _ in 0..<40 { await refused(.tokenInvalid) { try lost.connect() } }
        let error = #expect(throws: APIError.self) { try lost.connect() }
        #expect(error?.code == .rateLimited && error?.retryAfter == 1)
        #expect(await devices(stranger).status == 429)
        _ = try device.connect()
    }

    @Test("An IPv6 caller is its /64, an IPv4 one its address, however it is written")
    func addresses() async throws {
        var caller = thief
        for number in 0..<120 {
            caller.remoteAddress = "2001:db8:1:2:\(String(number + 1, radix: 16))::1"
            #expect(await devices(caller).status == 401)
        }
        caller.remoteAddress = "2001:db8:1:2:ffff::"
        #expect(await devices(caller).status == 429)
        caller.remoteAddress = "2001:db8:1:3::1"
        #expect(await devices(caller).status == 401)
        await exhaust()
        caller.remoteAddress = "::ffff:" + thief.remoteAddress
        #expect(await devices(caller).status == 429)
        caller.remoteAddress = "::ffff:192.0.2.2"
        #expect(await devices(caller).status == 401)
    }
}
