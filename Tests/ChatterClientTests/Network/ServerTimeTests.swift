import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterClient

@Suite("The server's time")
struct ServerTimeTests {
    private let clock = ManualClock()

    @Test("Before the first answer it is the device's, and the skew is unknown")
    func unknown() {
        let time = ServerTime(clock: clock)
        #expect(time.now == clock.now)
        #expect(time.skew == nil)
    }

    @Test("It goes on by itself, and a device clock that jumps moves the skew but not the time")
    func carried() {
        let time = ServerTime(clock: clock)
        let server = clock.now.advanced(by: .seconds(-420))
        time.observe(server)
        clock.advance(by: .seconds(10))
        #expect(time.now == server.advanced(by: .seconds(10)))
        #expect(time.skew == .seconds(-420))
        clock.set(clock.now.advanced(by: .seconds(3600)))
        #expect(time.now == server.advanced(by: .seconds(10)))
        #expect(time.skew == .seconds(-420 - 3600))
    }

    @Test("A header's whole second does not blur an exact time, but corrects a wrong one")
    func header() {
        let time = ServerTime(clock: clock)
        time.observe(dateHeader: "Thu, 01 Jan 2026 00:00:10 GMT")
        #expect(time.skew == .milliseconds(10_500))
        time.observe(clock.now.advanced(by: .milliseconds(10_123)))
        time.observe(dateHeader: "Thu, 01 Jan 2026 00:00:10 GMT")
        #expect(time.skew == .milliseconds(10_123))
        time.observe(dateHeader: "Thu, 01 Jan 2026 00:01:00 GMT")
        #expect(time.skew == .milliseconds(60_500))
        time.observe(dateHeader: "nonsense")
        #expect(time.skew == .milliseconds(60_500))
    }
}
