import ChatterModel
import Foundation
import Testing

@Suite("Times on the wire")
struct TimestampTests {
    @Test(
        "Known times, both ways",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1, "1970-01-01T00:00:00.001Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (1_764_518_018_120, "2025-11-30T15:53:38.120Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
        ] as [(Int64, String)])
    func known(milliseconds: Int64, text: String) {
        #expect(Timestamp(milliseconds: milliseconds).description == text)
        #expect(Timestamp(text)?.milliseconds == milliseconds)
    }

    @Test("Every day from 1900 to 2100 reads and writes as the C library's calendar says")
    func everyDay() {
        for day in Int64(-25_567)...47_846 {
            let milliseconds = day * 86_400_000 + (day & 0xFFFF) * 1000 + 7
            var seconds = time_t((milliseconds - 7) / 1000)
            var parts = tm()
            gmtime_r(&seconds, &parts)
            func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
            let text =
                "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
                + "T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)).007Z"
            guard Timestamp(milliseconds: milliseconds).description == text,
                Timestamp(text)?.milliseconds == milliseconds
            else {
                Issue.record("\(milliseconds) ≠ \(text)")
                return
            }
        }
    }

    @Test("Every millisecond of a second and random ones of 400 years survive the way there and back")
    func roundTrip() {
        var random = SystemRandomNumberGenerator()
        let now: Int64 = 1_764_518_018_000
        let inSecond = (0..<1000).map { now + $0 }
        let anywhere = (0..<20_000).map { _ in
            Int64.random(in: -6_000_000_000_000...6_000_000_000_000, using: &random)
        }
        for milliseconds in inSecond + anywhere {
            let text = Timestamp(milliseconds: milliseconds).description
            #expect(Timestamp(text)?.milliseconds == milliseconds, "\(text)")
        }
    }

    @Test("Whole seconds are spelled as Foundation spells them")
    func foundation() throws {
        var random = SystemRandomNumberGenerator()
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for _ in 0..<20_000 {
            let date = Date(
                timeIntervalSince1970: Double(Int64.random(in: 0...7_000_000_000, using: &random)))
            let text = date.formatted(style)
            guard Timestamp(date).description == text, Timestamp(text)?.date == date else {
                Issue.record("\(text) ≠ \(Timestamp(date))")
                return
            }
        }
    }

    @Test(
        "Other spellings of RFC 3339 are read",
        arguments: [
            ("2025-11-30T15:53:38Z", "2025-11-30T15:53:38.000Z"),
            ("2025-11-30t15:53:38.1z", "2025-11-30T15:53:38.100Z"),
            ("2025-11-30T15:53:38.1239999Z", "2025-11-30T15:53:38.123Z"),
            ("2025-11-30T15:53:38+00:00", "2025-11-30T15:53:38.000Z"),
            ("2025-11-30T15:53:38.120+05:45", "2025-11-30T10:08:38.120Z"),
            ("2025-11-30T23:53:38-08:00", "2025-12-01T07:53:38.000Z"),
            ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"),
            ("2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"),
        ])
    func spellings(text: String, meaning: String) {
        #expect(Timestamp(text)?.description == meaning)
    }

    @Test(
        "What is no RFC 3339 time is refused",
        arguments: [
            "", "now", "2025-11-30", "2025-11-30T15:53:38", "2025-11-30 15:53:38Z", "2025-11-30T15:53Z",
            "2025-13-01T00:00:00Z", "2025-00-01T00:00:00Z", "2025-02-29T00:00:00Z", "2025-04-31T00:00:00Z",
            "2025-01-00T00:00:00Z", "2025-01-01T24:00:00Z", "2025-01-01T00:60:00Z", "2025-01-01T00:00:61Z",
            "2025-01-01T00:00:00.Z", "2025-01-01T00:00:00ZZ", "25-01-01T00:00:00Z", "2025-1-1T00:00:00Z",
            "+2025-01-01T00:00:00Z", "2025-01-01T00:00:00+24:00", "2025-01-01T00:00:00+0000", "1764518018",
            "２025-01-01T00:00:00Z", "2025-01-01T00:00:00.123Z ", "9999999-01-01T00:00:00Z",
        ])
    func refused(text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test("A time outside RFC 3339's years is written as the nearest that it has")
    func outside() {
        #expect(Timestamp(milliseconds: .max).description == "9999-12-31T23:59:59.999Z")
        #expect(Timestamp(milliseconds: .min).description == "0000-01-01T00:00:00.000Z")
        #expect(Timestamp.distantFuture.description == "9999-12-31T23:59:59.999Z")
    }
}
