import Foundation

/// The name by which people find each other: 3–32 of `a`–`z`, `0`–`9`, `_` and `.`, unique in its workspace.
public enum Username {
    /// The one spelling that is stored and compared: without white space around it and a leading `@`,
    /// NFKC-normalised, lower case. Throws VALIDATION_FAILED when that is not a username: another alphabet's
    /// look-alikes never are, nor is a dot first, last or doubled (a sentence ends in one), nor, without
    /// `allowsReserved` (the bot's), a name in which people would read an authority.
    public static func canonical(_ raw: String, allowsReserved: Bool = false) throws(APIError) -> String {
        guard let name = fold(raw), Limits.usernameLength.contains(name.utf8.count) else {
            let length = Limits.usernameLength
            throw .invalid("username", "must be \(length.lowerBound) to \(length.upperBound) characters")
        }
        guard name.utf8.allSatisfy(isAllowed) else {
            throw .invalid("username", "must be of a-z, 0-9, _ and .")
        }
        guard !name.hasPrefix("."), !name.hasSuffix("."), !name.contains("..") else {
            throw .invalid("username", "must not have a dot first, last or doubled")
        }
        guard allowsReserved || !isReserved(name) else { throw .invalid("username", "is reserved") }
        return name
    }

    /// What usernames must start with to match a search for `raw`; nil when none can. Throws VALIDATION_FAILED
    /// below two characters.
    public static func searchPrefix(_ raw: String) throws(APIError) -> String? {
        guard let prefix = fold(raw) else { return nil }
        guard prefix.count >= Limits.searchPrefixLength else {
            throw .invalid("q", "must be at least \(Limits.searchPrefixLength) characters")
        }
        let mayMatch =
            prefix.utf8.count <= Limits.usernameLength.upperBound && prefix.utf8.allSatisfy(isAllowed)
        return mayMatch ? prefix : nil
    }

    /// Whether a canonical name, its separators dropped and its look-alike digits read as letters, is one of
    /// `ReservedNames`.
    public static func isReserved(_ canonical: String) -> Bool {
        ReservedNames.skeletons.contains(ReservedNames.skeleton(canonical))
    }

    /// nil for what is far too long to be worth normalising.
    private static func fold(_ raw: String) -> String? {
        guard raw.utf8.count <= Limits.rawNameBytes else { return nil }
        let folded = raw.precomposedStringWithCompatibilityMapping.lowercased()
        let bare = folded.trimmingCharacters(in: .whitespacesAndNewlines)
        return bare.hasPrefix("@") ? String(bare.dropFirst()) : bare
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
