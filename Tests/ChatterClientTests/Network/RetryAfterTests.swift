import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterClient

@Suite("Retry-After")
struct RetryAfterTests {
    /// 1994-11-06T08:49:37Z
    private let now = Timestamp(milliseconds: 784_111_777_000)

    @Test("Seconds", arguments: [("0", 0), ("7", 7), (" 7\t", 7), ("86400", 86_400), ("007", 7)])
    func seconds(text: String, expected: Int) {
        #expect(RetryAfter.parse(text, now: now) == .seconds(expected))
    }

    @Test("An absurdly large number is a very long time and no overflow")
    func absurd() {
        let year = Duration.seconds(366 * 86_400)
        #expect(RetryAfter.parse("99999999999999999999999", now: now) == year)
        #expect(RetryAfter.parse("\(Int64.max)", now: now) == year)
    }

    // Field case 22
    @Test("A date is seen from the server's clock, and a past one means now")
    func dates() {
        #expect(RetryAfter.parse("Sun, 06 Nov 1994 08:49:44 GMT", now: now) == .seconds(7))
        #expect(RetryAfter.parse("Sun, 06 Nov 1994 08:49:37 GMT", now: now) == .zero)
        #expect(RetryAfter.parse("Sat, 05 Nov 1994 08:49:37 GMT", now: now) == .zero)
    }

    // Field case 22
    @Test(
        "Garbage is ignored",
        arguments: [
            "", " ", "soon", "-5", "+5", "7.5", "7s", "0x10", "٧", "１２", "Sun, 06 Nov 1994 08:49:37",
            "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 25:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun, 06 Nov 99999 08:49:37 GMT", "1994-11-06T08:49:37Z",
        ])
    func garbage(text: String) {
        #expect(RetryAfter.parse(text, now: now) == nil)
    }

    @Test(
        "HTTP dates are read by the Gregorian calendar",
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Tue, 29 Feb 2000 23:59:59 GMT", 951_868_799_000),
            ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400_000),
            ("Thu, 31 Dec 2026 12:00:00 GMT", 1_798_718_400_000),
        ] as [(String, Int64)])
    func httpDates(text: String, milliseconds: Int64) {
        #expect(HTTPDate.parse(text)?.milliseconds == milliseconds)
    }

    @Test("The header of an answer reaches the error")
    func header() {
        let response = HTTPResponse(status: 429, headers: ["RETRY-AFTER": "7"])
        #expect(ClientError(response, now: now).retryAfter == .seconds(7))
        let garbage = HTTPResponse(status: 429, headers: ["Retry-After": "soon"])
        #expect(ClientError(garbage, now: now).retryAfter == nil)
    }
}
