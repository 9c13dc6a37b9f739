import ChatterClient
import ChatterModel
import Foundation

/// Times as people read them, in one time zone.
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
    func clock(_ time: Timestamp) -> String {
        let parts = calendar.dateComponents([.hour, .minute], from: time.date)
        return "\(padded(parts.hour)):\(padded(parts.minute))"
    }

    /// `Today`, `Yesterday`, `Mon 30 Nov 2026`.
    func day(_ time: Timestamp) -> String {
        switch daysAgo(time) {
        case 0: return "Today"
        case 1: return "Yesterday"
        default:
            let parts = calendar.dateComponents([.weekday, .day, .month, .year], from: time.date)
            let weekday = name(parts.weekday, of: Self.weekdays)
            let month = name(parts.month, of: Self.months)
            return "\(weekday) \(parts.day ?? 0) \(month) \(parts.year ?? 0)"
        }
    }

    /// Whether two times fall on one calendar day here.
    func isSameDay(_ left: Timestamp, _ right: Timestamp) -> Bool {
        calendar.isDate(left.date, inSameDayAs: right.date)
    }

    /// `14:03` today, else the day: for lists.
    func short(_ time: Timestamp) -> String {
        daysAgo(time) == 0 ? clock(time) : day(time)
    }

    /// `until 01:25`, `until Tue 1 Dec 2026 at 01:25`.
    func until(_ time: Timestamp) -> String {
        daysAgo(time) == 0 ? "until \(clock(time))" : "until \(day(time)) at \(clock(time))"
    }

    /// `online`, `last seen today at 14:03`; nil when there is nothing to show.
    func presence(_ presence: Presence?) -> String? {
        guard let presence else { return nil }
        if presence.online { return "online" }
        guard let seen = presence.lastSeenAt else { return nil }
        let day =
            switch daysAgo(seen) {
            case 0: "today"
            case 1: "yesterday"
            default: "on \(self.day(seen))"
            }
        return "last seen \(day) at \(clock(seen))"
    }

    private func daysAgo(_ time: Timestamp) -> Int? {
        let from = calendar.startOfDay(for: time.date)
        return calendar.dateComponents([.day], from: from, to: calendar.startOfDay(for: now.date)).day
    }

    private func padded(_ number: Int?) -> String {
        let text = String(number ?? 0)
        return text.count == 1 ? "0" + text : text
    }

    private func name(_ number: Int?, of names: [String]) -> String {
        guard let number, names.indices.contains(number - 1) else { return "?" }
        return names[number - 1]
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
