import ChatterModel
import Foundation

/// What stands under a person's name: "online", or when they were last seen, by the device's calendar.
public enum LastSeenLabel {
    /// nil when nothing is known or shown.
    public static func text(
        _ presence: Presence?, now: Timestamp, calendar: Calendar,
        locale: Locale = Locale(identifier: "en_GB")
    ) -> String? {
        guard let presence else { return nil }
        if presence.online { return "online" }
        guard let seen = presence.lastSeenAt else { return nil }
        let time = ClockLabel.text(seen, calendar: calendar, locale: locale)
        switch DayLabel(seen, now: now, calendar: calendar) {
        case .today: return "last seen today at \(time)"
        case .yesterday: return "last seen yesterday at \(time)"
        case .weekday(let day):
            let name = day.formatted(DayLabel.style(calendar, locale).weekday(.wide))
            return "last seen \(name) at \(time)"
        case .date(let day):
            let date = day.formatted(DayLabel.style(calendar, locale).day().month(.wide).year())
            return "last seen on \(date)"
        }
    }
}

/// The time of day beside a message.
public enum ClockLabel {
    public static func text(
        _ time: Timestamp, calendar: Calendar, locale: Locale = Locale(identifier: "en_GB")
    ) -> String {
        time.date.formatted(
            DayLabel.style(calendar, locale).hour(.twoDigits(amPM: .abbreviated)).minute(.twoDigits))
    }
}
