import ChatterModel
import Foundation
import Testing

@testable import chatter

/// 00:30 on 10 March in Nouméa (UTC+11); in UTC it is still 9 March.
private let now = Timestamp("2026-03-09T13:30:00.000Z")

@Suite("Days where the reader is")
struct DayTests {
    private func text(hoursEast: Double) throws -> TimeText {
        let zone = try #require(TimeZone(secondsFromGMT: Int(hoursEast * 3600)))
        return TimeText(now: try #require(now), timeZone: zone)
    }

    // Field case 85
    @Test(
        "Days begin at midnight where the reader is",
        arguments: [
            (11, "2026-03-09T12:59:59Z", "2026-03-09T13:00:00Z"),
            (14, "2026-03-09T09:59:59Z", "2026-03-09T10:00:00Z"),
            (-12, "2026-03-09T11:59:59Z", "2026-03-09T12:00:00Z"),
            (5.75, "2026-03-08T18:14:59Z", "2026-03-08T18:15:00Z"),
            (0, "2026-03-08T23:59:59Z", "2026-03-09T00:00:00Z"),
        ])
    func midnight(hoursEast: Double, before: String, after: String) throws {
        let text = try text(hoursEast: hoursEast)
        let (before, after) = (try #require(Timestamp(before)), try #require(Timestamp(after)))
        #expect(text.day(before) == "Yesterday")
        #expect(text.day(after) == "Today")
        #expect(!text.isSameDay(before, after))
        #expect(text.clock(before) == "23:59" && text.clock(after) == "00:00")
    }

    // Field case 85
    @Test("Last seen says the day where the reader is")
    func lastSeen() throws {
        let text = try text(hoursEast: 11)
        let (before, after) = (
            try #require(Timestamp("2026-03-09T12:59:00Z")), try #require(Timestamp("2026-03-09T13:01:00Z"))
        )
        #expect(
            text.presence(presence(online: false, lastSeenAt: before)) == "last seen yesterday at 23:59")
        #expect(text.presence(presence(online: false, lastSeenAt: after)) == "last seen today at 00:01")
    }

    @Test("A time to come is told by its clock today and by its date later")
    func until() throws {
        let text = try text(hoursEast: 11)
        #expect(text.until(try #require(Timestamp("2026-03-10T12:59:00Z"))) == "until 23:59")
        let later = try #require(Timestamp("2026-03-10T13:01:00Z"))
        #expect(text.until(later) == "until 11 March 2026 at 00:01")
    }

    // Field case 85
    @Test("A day of 23 hours, as when clocks go forward, is one day")
    func shortDay() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let noon = try #require(Timestamp("2026-03-30T10:00:00Z"))
        let text = TimeText(now: noon, timeZone: zone)
        let shortDay = try #require(Timestamp("2026-03-28T23:30:00Z"))
        let dayBefore = try #require(Timestamp("2026-03-28T22:30:00Z"))
        #expect(text.day(shortDay) == "Yesterday")
        #expect(text.day(dayBefore) == "Saturday")
    }
}
