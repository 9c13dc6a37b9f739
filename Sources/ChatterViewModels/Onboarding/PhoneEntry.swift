import Foundation

/// A phone number while it is typed: a country, and digits that may come with the `+` or the trunk prefix.
nonisolated public struct PhoneEntry: Hashable, Sendable {
    public enum State: Hashable, Sendable {
        case empty
        case tooShort
        case tooLong
        /// An international number with a calling code that no country has.
        case noSuchCode
        /// Something that is no part of a number was typed.
        case malformed
        /// E.164.
        case complete(String)
    }

    public private(set) var country: Country
    public private(set) var text = ""

    public init(country: Country) { self.country = country }

    public mutating func choose(_ country: Country) {
        self.country = country
        // Another country's number cannot stay international.
        if written?.international != nil { text = "" }
    }

    /// A typed or pasted number with `+` or `00` chooses its country.
    public mutating func type(_ text: String) {
        self.text = text
        guard let digits = written?.international else { return }
        if let country = Country.of(international: digits, preferred: country) { self.country = country }
    }

    public var state: State {
        guard let written else { return .malformed }
        guard let national = national(written) else {
            // The first digits of a calling code are no mistake yet.
            return Country.all.contains { $0.callingCode.hasPrefix(written.international ?? "") }
                ? .tooShort : .noSuchCode
        }
        guard !national.isEmpty else { return .empty }
        // Local parts of short numbers cannot be dialled from abroad: E.164 allows 15 digits in all.
        if country.callingCode.count + national.count > 15 { return .tooLong }
        if national.count < max(4, country.nationalLengths.lowerBound) { return .tooShort }
        if national.count > country.nationalLengths.upperBound { return .tooLong }
        return .complete("+\(country.callingCode)\(national)")
    }

    private var written: WrittenNumber? { WrittenNumber(text) }

    /// What follows the chosen country's code; nil for an international number that is not of this country.
    private func national(_ written: WrittenNumber) -> String? {
        var digits = written.digits
        if let international = written.international {
            guard international.hasPrefix(country.callingCode) else { return nil }
            digits = String(international.dropFirst(country.callingCode.count))
            // People write “+44 (0) 20 …”; other trunk prefixes are digits of numbers, too.
            guard country.trunkPrefix.hasPrefix("0") else { return digits }
        }
        let trunk = country.trunkPrefix
        guard !trunk.isEmpty, digits.hasPrefix(trunk), digits.count > country.nationalLengths.lowerBound
        else { return digits }
        return String(digits.dropFirst(trunk.count))
    }
}
