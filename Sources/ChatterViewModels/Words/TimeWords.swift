import ChatterClient
import ChatterModel
import Foundation

/// Times as this person reads them: by the device's calendar, time zone and language.
nonisolated public struct TimeWords: Sendable {
    private let clock: any ChatterClock
    private let currentCalendar: @Sendable () -> Calendar

    /// - Parameter calendar: asked anew each time, since a person travels; its locale is the language.
    public init(
        clock: any ChatterClock = SystemClock(),
        calendar: @escaping @Sendable () -> Calendar = { .autoupdatingCurrent }
    ) {
        self.clock = clock
        currentCalendar = calendar
    }

    public var now: Timestamp { clock.now }
    var calendar: Calendar { currentCalendar() }
    private var locale: Locale { calendar.locale ?? .autoupdatingCurrent }

    /// `14:03`, or `2:03 PM` where people write so.
    public func time(_ time: Timestamp) -> String {
        ClockLabel.text(time, calendar: calendar, locale: locale)
    }

    /// The header above a day's messages: `Today`, `Yesterday`, `Monday`, `30 November 2026`.
    public func day(_ time: Timestamp) -> String {
        DayLabel(time, now: now, calendar: calendar).text(calendar: calendar, locale: locale)
    }

    /// For a list: the time of day today, else the day.
    public func short(_ time: Timestamp) -> String {
        switch DayLabel(time, now: now, calendar: calendar) {
        case .today: self.time(time)
        case .date(let day): day.formatted(style.day(.twoDigits).month(.twoDigits).year())
        case let label: label.text(calendar: calendar, locale: locale)
        }
    }

    /// Day and time, for details.
    public func full(_ time: Timestamp) -> String { "\(day(time)), \(self.time(time))" }

    /// `online`, `last seen today at 14:03`; nil when nothing is known or shown.
    public func presence(_ presence: Presence?) -> String? {
        LastSeenLabel.text(presence, now: now, calendar: calendar, locale: locale)
    }

    /// Returns when labels made now are due to be made again: at the next midnight here. Throws when cancelled.
    func untilLabelsChange() async throws {
        let change = DayLabel.nextChange(after: now, calendar: calendar)
        // Never at once: a clock that stands still at midnight would spin.
        try await clock.sleep(for: max(.seconds(1), now.duration(to: change)))
    }

    private var style: Date.FormatStyle {
        Date.FormatStyle(locale: locale, calendar: calendar, timeZone: calendar.timeZone)
    }
}
