import CPhoneNumber
import ChatterModel
import Foundation

/// Phone numbers in their one spelling, E.164. What counts as a number is libphonenumber's knowledge.
enum PhoneNumber {
    /// Reads the ways people write an international number: spaces, brackets, full-width digits, `00` for `+`, the
    /// trunk zero of British numbers. Made-up numbers pass when they are as long as their country's. Throws
    /// VALIDATION_FAILED.
    static func canonical(_ raw: String) throws(APIError) -> String {
        try canonical(raw, as: CHATTER_PHONE_POSSIBLE)
    }

    /// The same, but only for numbers of ranges that their country has given out: a code can reach them.
    static func inUse(_ raw: String) throws(APIError) -> String {
        try canonical(raw, as: CHATTER_PHONE_VALID)
    }

    private static func canonical(_ raw: String, as rule: chatter_phone_rule) throws(APIError) -> String {
        guard raw.utf8.count <= 64 else { throw .invalid("phone", "is too long for a phone number") }
        var text = raw.precomposedStringWithCompatibilityMapping.trimmingCharacters(
            in: .whitespacesAndNewlines)
        if text.hasPrefix("00") { text = "+" + text.dropFirst(2) }
        guard text.hasPrefix("+") else {
            throw .invalid("phone", "must begin with + and the country code")
        }
        // libphonenumber would also read letters as digits and drop extensions: two people, one number.
        guard text.unicodeScalars.dropFirst().allSatisfy(isExpected) else {
            throw .invalid("phone", "may only hold digits, spaces and ( ) - . /")
        }
        var buffer = [CChar](repeating: 0, count: 32)
        let length = chatter_phone_canonical(text, rule, &buffer, buffer.count)
        guard length > 0 else { throw .invalid("phone", "is not a phone number") }
        return String(decoding: buffer.prefix(Int(length)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func isExpected(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .decimalNumber || scalar.properties.isWhitespace
            || "()-./\u{2010}\u{2011}\u{2012}\u{2013}\u{2212}".unicodeScalars.contains(scalar)
    }
}
