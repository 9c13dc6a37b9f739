import Foundation

/// A region one can have a phone number in.
nonisolated public struct Country: Hashable, Sendable, Identifiable {
    /// ISO 3166, two letters.
    public var region: String
    /// Without the `+`.
    public var callingCode: String
    /// Dialled before a number inside the country only; often `0`, and empty in many.
    var trunkPrefix: String
    /// How many digits follow the calling code.
    var nationalLengths: ClosedRange<Int>

    public var id: String { region }

    /// In the language of `locale`.
    public func name(in locale: Locale) -> String {
        locale.localizedString(forRegionCode: region) ?? region
    }

    /// The flag as an emoji.
    public var flag: String {
        String(
            String.UnicodeScalarView(
                region.unicodeScalars.compactMap { Unicode.Scalar(0x1F1E6 + $0.value - 0x41) }))
    }

    /// Where this device is; else the United States.
    public static func current(_ locale: Locale) -> Country {
        all.first { $0.region == locale.region?.identifier } ?? all.first { $0.region == "US" } ?? all[0]
    }

    /// By their names in the language of `locale`; `query` filters by name, region or calling code.
    public static func list(matching query: String, in locale: Locale) -> [Country] {
        let named = all.map { (country: $0, name: $0.name(in: locale)) }
        let wanted = query.filter { !$0.isWhitespace }
        let code = WrittenNumber(query)?.digits ?? ""
        let found =
            wanted.isEmpty
            ? named
            : named.filter { entry in
                entry.name.localizedStandardContains(query)
                    || entry.country.region == wanted.uppercased()
                    || (!code.isEmpty && entry.country.callingCode.hasPrefix(code))
            }
        return found.sorted { $0.name.localizedStandardCompare($1.name) == .orderedAscending }.map(\.country)
    }

    /// The country of a number that begins with `+`: the longest calling code that matches; of several with one code
    /// `preferred`, else the largest.
    static func of(international digits: some StringProtocol, preferred: Country) -> Country? {
        let matching = all.filter { digits.hasPrefix($0.callingCode) }
        guard let longest = matching.map(\.callingCode.count).max() else { return nil }
        let candidates = matching.filter { $0.callingCode.count == longest }
        return candidates.first { $0 == preferred } ?? candidates.first { main.contains($0.region) }
            ?? candidates.first
    }

    /// Where several regions share a calling code.
    private static let main: Set<String> = [
        "US", "RU", "GB", "AU", "IT", "NO", "FI", "MA", "GP", "RE", "SH", "CW",
    ]
}
