import Foundation
import Observation

/// A country as a person chooses it.
nonisolated public struct CountryRow: Identifiable, Hashable, Sendable {
    public var country: Country
    /// In the person's language.
    public var name: String

    init(_ country: Country, in locale: Locale) {
        self.country = country
        name = country.name(in: locale)
    }

    public var id: Country.ID { country.id }
    /// `+49`.
    public var code: String { "+\(country.callingCode)" }
    /// Where one is chosen already: `🇩🇪 Germany`.
    public var title: String { "\(country.flag) \(name)" }
    /// What a screen reader says.
    public var spoken: String { "\(name), \(code)" }
}

/// All countries, to find one by name, region or calling code.
@Observable
public final class CountriesViewModel {
    public private(set) var query = ""
    public private(set) var rows: [CountryRow] = []

    @ObservationIgnored private let locale: Locale

    /// - Parameter locale: of the person; for the names.
    init(locale: Locale) {
        self.locale = locale
        show()
    }

    public func typed(_ text: String) {
        guard text != query else { return }
        query = text
        show()
    }

    private func show() {
        rows = Country.list(matching: query, in: locale).map { CountryRow($0, in: locale) }
    }

    /// What is said where no country is found.
    public static let none = Placeholder("No Such Country", "Try its name, or the code with the +.")

    /// The one that the Return key chooses.
    public var first: CountryRow? { rows.first }
}
