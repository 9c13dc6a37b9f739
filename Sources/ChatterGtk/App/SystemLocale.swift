import Foundation

/// What the environment says about language and region. Foundation on Linux does not look there.
nonisolated struct SystemLocale: Sendable {
    /// The person's language and region: for names that come from the system.
    let reading: Locale
    /// English, as the app's own words are, with the region's way to write times.
    let writing: Locale

    init(_ environment: [String: String]) {
        let messages = Self.locale(of: "LC_MESSAGES", environment)
        let times = Self.locale(of: "LC_TIME", environment)
        reading = Locale(identifier: messages ?? "en_001")
        let region = times.flatMap { Locale(identifier: $0).region?.identifier }
        writing = Locale(identifier: "en_\(region ?? "001")")
    }

    /// Made anew each time, since a person travels.
    var calendar: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.locale = writing
        calendar.timeZone = .autoupdatingCurrent
        return calendar
    }

    /// `de_DE` of `de_DE.UTF-8@euro`; nil where nothing is said. POSIX: LC_ALL before the category before LANG.
    private static func locale(of category: String, _ environment: [String: String]) -> String? {
        let given = ["LC_ALL", category, "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        guard let name = given?.prefix(while: { $0 != "." && $0 != "@" }), name != "C", name != "POSIX" else {
            return nil
        }
        return String(name)
    }
}
