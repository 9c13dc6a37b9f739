import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterServer

@Suite("Rate limits", .timeLimit(.minutes(5)))
struct RateLimiterTests {
    private let clock = ServerTestClock()
    private let limit = RateLimit(name: "tests", burst: 3, perMinute: 6)

    @Test("A burst passes, the next one waits exactly until there is a token again")
    func edge() throws {
        let limiter = RateLimiter(clock: clock, isOn: true)
        for _ in 0..<3 { try limiter.take(limit, for: "ann") }
        let error = #expect(throws: APIError.self) { try limiter.take(limit, for: "ann") }
        #expect(error?.code == .rateLimited)
        #expect(error?.retryAfter == 10)
        clock.advance(by: .milliseconds(9999))
        #expect(throws: APIError.self) { try limiter.take(limit, for: "ann") }
        clock.advance(by: .milliseconds(1))
        try limiter.take(limit, for: "ann")
        #expect(throws: APIError.self) { try limiter.take(limit, for: "ann") }
    }

    @Test("Whoever obeys Retry-After is served")
    func retryAfterIsEnough() throws {
        let limiter = RateLimiter(clock: clock, isOn: true)
        let odd = RateLimit(name: "odd", burst: 1, perMinute: 7)
        for _ in 0..<20 {
            try limiter.take(odd, for: "ann")
            let error = #expect(throws: APIError.self) { try limiter.take(odd, for: "ann") }
            clock.advance(by: .seconds(try #require(error?.retryAfter)))
        }
    }

    @Test("Keys and limits do not share")
    func separate() throws {
        let limiter = RateLimiter(clock: clock, isOn: true)
        for _ in 0..<3 { try limiter.take(limit, for: "ann") }
        try limiter.take(limit, for: "bob")
        try limiter.take(RateLimit(name: "other", burst: 3, perMinute: 6), for: "ann")
    }

    @Test("A bucket never holds more than its burst")
    func cap() throws {
        let limiter = RateLimiter(clock: clock, isOn: true)
        clock.advance(by: .seconds(100_000))
        for _ in 0..<3 { try limiter.take(limit, for: "ann") }
        clock.advance(by: .seconds(100_000))
        for _ in 0..<3 { try limiter.take(limit, for: "ann") }
        #expect(throws: APIError.self) { try limiter.take(limit, for: "ann") }
    }

    @Test("A million keys do not take a million buckets, and a limit in use survives the tidying")
    func memory() throws {
        let limiter = RateLimiter(clock: clock, isOn: true, capacity: 1000)
        for _ in 0..<3 { try limiter.take(limit, for: "ann") }
        for number in 0..<1500 { try limiter.take(limit, for: "key \(number)") }
        #expect(throws: APIError.self) { try limiter.take(limit, for: "ann") }
        for number in 0..<20_000 { try limiter.take(limit, for: "more \(number)") }
        #expect(limiter.bucketCount <= 2000)
    }

    @Test("Switched off, nothing is limited")
    func off() throws {
        let limiter = RateLimiter(clock: clock, isOn: false)
        for _ in 0..<100 { try limiter.take(limit, for: "ann") }
    }

    @Test("Codes: five a number at once, then one in five minutes, with Retry-After on the wire")
    func codes() async throws {
        let server = try await TestServer { $0.limitsRates = true }
        let phone = server.newPhone()
        let body = try Wire.encode(RequestCode(phone: phone))
        for _ in 0..<5 {
            #expect(await server.anonymous.send("POST", "/v1/auth/request-code", body: body).status == 200)
        }
        let answer = await server.anonymous.send("POST", "/v1/auth/request-code", body: body)
        #expect(answer.status == 429)
        #expect(answer.header("Retry-After") == "300")
        #expect(try answer.apiError.code == .rateLimited)
        server.clock.advance(by: .seconds(300))
        #expect(await server.anonymous.send("POST", "/v1/auth/request-code", body: body).status == 200)
    }

    @Test("Codes are limited by address too: many numbers from one place")
    func codesByAddress() async throws {
        let server = try await TestServer { $0.limitsRates = true }
        var caller = server.anonymous
        for _ in 0..<60 {
            _ = try await caller.call(Routes.requestCode, body: RequestCode(phone: server.newPhone()))
        }
        await refused(.rateLimited) {
            try await caller.call(Routes.requestCode, body: RequestCode(phone: server.newPhone()))
        }
        caller.remoteAddress = "192.0.2.2"
        _ = try await caller.call(Routes.requestCode, body: RequestCode(phone: server.newPhone()))
    }

    @Test("Behind a proxy the address is the last one of X-Forwarded-For; otherwise the header means nothing")
    func forwarded() async throws {
        for (isTrusted, expected) in [(true, 200), (false, 429)] {
            let server = try await TestServer { configuration in
                configuration.limitsRates = true
                configuration.trustsForwardedFor = isTrusted
            }
            var last = 0
            for number in 0..<61 {
                let body = try Wire.encode(RequestCode(phone: server.newPhone()))
                let headers = ["x-forwarded-for": "203.0.113.9, 198.51.100.\(number)"]
                let answer = await server.anonymous.send(
                    "POST", "/v1/auth/request-code", headers: headers, body: body)
                last = answer.status
            }
            #expect(last == expected)
        }
    }
}
