import Foundation

/// A phone number while it is typed: a country, and digits that may come with the `+` or the trunk prefix.
nonisolated public struct PhoneEntry: Hashable, Sendable {
    public enum State: Hashable, Sendable {
        case empty
        case tooShort
        case tooLong
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
        if international != nil { text = "" }
    }

    /// A typed or pasted number with `+` or `00` chooses its country.
    public mutating func type(_ text: String) {
        self.text = text
        guard let international else { return }
        if let country = Country.of(international: international, preferred: country) {
            self.country = country
        }
    }

    public var state: State {
        guard text.allSatisfy({ Self.value($0) != nil || Self.separators.contains($0) }) else {
            return .malformed
        }
        let national = self.national
        guard !national.isEmpty else { return .empty }
        // Local parts of short numbers cannot be dialled from abroad: E.164 allows 15 digits in all.
        if country.callingCode.count + national.count > 15 { return .tooLong }
        if national.count < max(4, country.nationalLengths.lowerBound) { return .tooShort }
        if national.count > country.nationalLengths.upperBound { return .tooLong }
        return .complete("+\(country.callingCode)\(national)")
    }

    private var national: String {
        if let international {
            return international.hasPrefix(country.callingCode)
                ? String(international.dropFirst(country.callingCode.count)) : international
        }
        let digits = self.digits
        let trunk = country.trunkPrefix
        guard !trunk.isEmpty, digits.hasPrefix(trunk), digits.count > country.nationalLengths.lowerBound
        else {
            return digits
        }
        return String(digits.dropFirst(trunk.count))
    }

    /// What follows `+` or `00`; nil for a national number.
    private var international: String? {
        if text.drop(while: \.isWhitespace).first == "+" { return digits }
        return digits.hasPrefix("00") ? String(digits.dropFirst(2)) : nil
    }

    /// In any script.
    private var digits: String { text.compactMap(Self.value).map(String.init).joined() }

    private static func value(_ character: Character) -> Int? {
        character.wholeNumberValue.flatMap { $0 < 10 ? $0 : nil }
    }

    private static let separators: Set<Character> = [
        "+", " ", "\u{A0}", "-", "–", "(", ")", ".", "/", "\u{202F}",
    ]
}
