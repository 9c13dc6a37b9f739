import ChatterClient
import ChatterModel
import Foundation

/// The client's labels for times, with this machine's clock and time zone.
struct TimeText: Sendable {
    var now: Timestamp
    private let calendar: Calendar

    init(now: Timestamp, timeZone: TimeZone = .current) {
        self.now = now
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        self.calendar = calendar
    }

    static var current: TimeText { TimeText(now: SystemClock().now) }

    /// `14:03`.
    func clock(_ time: Timestamp) -> String { ClockLabel.text(time, calendar: calendar) }

    /// `Today`, `Yesterday`, `Monday`, `3 March 2026`.
    func day(_ time: Timestamp) -> String {
        DayLabel(time, now: now, calendar: calendar).text(calendar: calendar)
    }

    /// Whether two times fall on one calendar day here.
    func isSameDay(_ left: Timestamp, _ right: Timestamp) -> Bool {
        calendar.isDate(left.date, inSameDayAs: right.date)
    }

    /// `14:03` today, else the day: for lists.
    func short(_ time: Timestamp) -> String {
        isSameDay(time, now) ? clock(time) : day(time)
    }

    /// `until 01:25`, `until 1 December 2026 at 01:25`.
    func until(_ time: Timestamp) -> String {
        guard !isSameDay(time, now) else { return "until \(clock(time))" }
        // A label's day lies in the past; what is to come is told by its date.
        return "until \(DayLabel.date(time.date).text(calendar: calendar)) at \(clock(time))"
    }

    /// `online`, `last seen today at 14:03`; nil when there is nothing to show.
    func presence(_ presence: Presence?) -> String? {
        LastSeenLabel.text(presence, now: now, calendar: calendar)
    }
}
