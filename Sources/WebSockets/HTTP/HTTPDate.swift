import Foundation

/// The `Date` header's text, made once a second.
struct HTTPDate {
    private var second: time_t = 0
    private var text = ""

    mutating func now() -> String {
        let now = time(nil)
        guard now != second else { return text }
        second = now
        var parts = tm()
        var moment = now
        gmtime_r(&moment, &parts)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = "\(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(1900 + parts.tm_year)"
        let clock = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
        text = "\(days[Int(parts.tm_wday)]), \(day) \(clock) GMT"
        return text
    }
}
