import ChatterModel
import Foundation
import Testing

@testable import ChatterClient

// Field case 85
@Suite("Days and times as the device's calendar sees them")
struct LabelTests {
    private func calendar(_ secondsFromGMT: Int) throws -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: secondsFromGMT))
        return calendar
    }

    private func time(_ text: String) throws -> Timestamp { try #require(Timestamp(text)) }

    /// 2026-03-10T00:30+11:00.
    private var now: Timestamp { get throws { try time("2026-03-09T13:30:00.000Z") } }

    @Test(
        "Yesterday ends at the local midnight, not in UTC",
        arguments: [
            ("2026-03-09T12:59:00.000Z", "Yesterday"),  // 23:59 local
            ("2026-03-09T13:01:00.000Z", "Today"),  // 00:01 local
            ("2026-03-08T13:00:00.000Z", "Yesterday"),  // 00:00 local of the day before
            ("2026-03-08T12:59:59.000Z", "Sunday"),
            ("2026-03-03T13:00:00.000Z", "Wednesday"),
            ("2026-03-03T12:59:00.000Z", "3 March 2026"),
        ])
    func atPlus11(message: String, label: String) throws {
        let calendar = try calendar(11 * 3600)
        let day = DayLabel(try time(message), now: try now, calendar: calendar)
        #expect(day.text(calendar: calendar) == label)
    }

    @Test(
        "The same moment is another day in another zone",
        arguments: [
            (14 * 3600, "Yesterday"),  // 23:59 of the day before
            (-12 * 3600, "Yesterday"),  // 21:59 of the day before; it is 01:30 there
            (5 * 3600 + 45 * 60, "Today"), (0, "Today"),
        ])
    func zones(offset: Int, label: String) throws {
        let calendar = try calendar(offset)
        let day = DayLabel(try time("2026-03-09T09:59:00.000Z"), now: try now, calendar: calendar)
        #expect(day.text(calendar: calendar) == label)
    }

    @Test(
        "Headers are due again at the next local midnight",
        arguments: [11 * 3600, 14 * 3600, -12 * 3600, 5 * 3600 + 2700])
    func nextChange(offset: Int) throws {
        let calendar = try calendar(offset)
        let change = DayLabel.nextChange(after: try now, calendar: calendar)
        let before = Timestamp(milliseconds: change.milliseconds - 1)
        #expect(DayLabel(try now, now: before, calendar: calendar) == .today)
        #expect(DayLabel(try now, now: change, calendar: calendar) == .yesterday)
        #expect(try now < change)
    }

    @Test("A day that a change of clocks makes shorter is still one day")
    func clockChange() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
        // Clocks go forward in the night to 2026-03-29.
        let evening = try time("2026-03-28T22:30:00.000Z")
        let nextNoon = try time("2026-03-29T10:00:00.000Z")
        #expect(DayLabel(evening, now: nextNoon, calendar: calendar) == .yesterday)
        let change = DayLabel.nextChange(after: evening, calendar: calendar)
        #expect(change == (try time("2026-03-28T23:00:00.000Z")))
        #expect(
            DayLabel.nextChange(after: change, calendar: calendar) == (try time("2026-03-29T22:00:00.000Z")))
    }

    @Test("A server a little ahead does not make tomorrow")
    func serverAhead() throws {
        let calendar = try calendar(0)
        let day = DayLabel(
            try time("2026-03-10T00:00:05.000Z"), now: try time("2026-03-09T23:59:58.000Z"),
            calendar: calendar)
        #expect(day == .today)
    }

    private func lastSeen(_ text: String?, online: Bool = false, offset: Int = 11 * 3600) throws -> String? {
        let presence = Presence(
            userID: Samples.ben, online: online, lastSeenAt: try text.map { try time($0) }, at: Samples.noon)
        return LastSeenLabel.text(presence, now: try now, calendar: try calendar(offset))
    }

    @Test("Last seen follows the device's day and clock too")
    func lastSeenTexts() throws {
        #expect(try lastSeen(nil, online: true) == "online")
        #expect(try lastSeen("2026-03-09T13:03:00.000Z") == "last seen today at 00:03")
        #expect(try lastSeen("2026-03-09T12:59:00.000Z") == "last seen yesterday at 23:59")
        #expect(try lastSeen("2026-03-09T12:59:00.000Z", offset: 0) == "last seen today at 12:59")
        #expect(try lastSeen("2026-03-07T13:03:00.000Z") == "last seen Sunday at 00:03")
        #expect(try lastSeen("2026-01-07T13:03:00.000Z") == "last seen on 8 January 2026")
    }

    @Test("Nothing known, nothing said")
    func nothing() throws {
        #expect(try lastSeen(nil) == nil)
        #expect(LastSeenLabel.text(nil, now: Samples.noon, calendar: try calendar(0)) == nil)
    }

    @Test("A change of the time zone changes every text at once")
    func zoneChange() throws {
        let message = try time("2026-03-09T15:30:00.000Z")
        #expect(ClockLabel.text(message, calendar: try calendar(8 * 3600)) == "23:30")
        #expect(ClockLabel.text(message, calendar: try calendar(-4 * 3600)) == "11:30")
    }
}
