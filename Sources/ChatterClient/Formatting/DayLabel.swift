import ChatterModel
import Foundation

/// Which day a message belongs to, as the header above it says: by the device's calendar and time zone, never by UTC.
public enum DayLabel: Hashable, Sendable {
    case today
    case yesterday
    /// Within the last week: the day's name.
    case weekday(Date)
    case date(Date)

    public init(_ time: Timestamp, now: Timestamp, calendar: Calendar) {
        let (day, today) = (calendar.startOfDay(for: time.date), calendar.startOfDay(for: now.date))
        switch calendar.dateComponents([.day], from: day, to: today).day ?? 0 {
        // A server's clock may be a little ahead of this device's.
        case ...0: self = .today
        case 1: self = .yesterday
        case 2...6: self = .weekday(day)
        default: self = .date(day)
        }
    }

    /// When labels made at `now` are due to be made again: the next midnight of this calendar.
    public static func nextChange(after now: Timestamp, calendar: Calendar) -> Timestamp {
        let today = calendar.startOfDay(for: now.date)
        // Some days begin at one o'clock where clocks change at midnight: the calendar knows.
        let tomorrow = calendar.date(byAdding: .day, value: 1, to: today) ?? today.addingTimeInterval(86_400)
        return Timestamp(calendar.startOfDay(for: tomorrow))
    }

    /// English; apps with other languages switch over the cases.
    public func text(calendar: Calendar, locale: Locale = Locale(identifier: "en_GB")) -> String {
        switch self {
        case .today: "Today"
        case .yesterday: "Yesterday"
        case .weekday(let day):
            day.formatted(DayLabel.style(calendar, locale).weekday(.wide))
        case .date(let day):
            day.formatted(DayLabel.style(calendar, locale).day().month(.wide).year())
        }
    }

    static func style(_ calendar: Calendar, _ locale: Locale) -> Date.FormatStyle {
        Date.FormatStyle(locale: locale, calendar: calendar, timeZone: calendar.timeZone)
    }
}
