/// Written by hand: Foundation formats through a floating-point `Date` and cuts off a millisecond in about one time
/// of three, so that a time did not survive the wire (docs/decisions/0010-json-and-timestamps.md).
extension Timestamp: CustomStringConvertible {
    /// RFC 3339 in UTC with three decimals. RFC 3339 has the years 0000–9999: times outside show as the nearest.
    public var description: String {
        let clamped = min(max(milliseconds, Self.earliest), Self.distantFuture.milliseconds)
        let (days, inDay) = clamped.flooredDivision(by: 86_400_000)
        let date = CivilDate(daysSince1970: days)
        return String(unsafeUninitializedCapacity: 24) { text in
            text.put(date.year, digits: 4, at: 0, before: "-")
            text.put(date.month, digits: 2, at: 5, before: "-")
            text.put(date.day, digits: 2, at: 8, before: "T")
            text.put(inDay / 3_600_000, digits: 2, at: 11, before: ":")
            text.put(inDay / 60_000 % 60, digits: 2, at: 14, before: ":")
            text.put(inDay / 1000 % 60, digits: 2, at: 17, before: ".")
            text.put(inDay % 1000, digits: 3, at: 20, before: "Z")
            return 24
        }
    }

    /// 0000-01-01T00:00:00.000Z
    private static let earliest: Int64 = -62_167_219_200_000
}

extension Timestamp {
    /// nil unless `text` is an RFC 3339 time: any offset, any number of decimals (those beyond milliseconds are cut
    /// off), a leap second counted as the second after it.
    public init?(_ text: String) {
        var text = text
        guard let milliseconds = text.withUTF8(RFC3339Text.milliseconds) else { return nil }
        self.init(milliseconds: milliseconds)
    }
}

/// Reads the parts of an RFC 3339 time one after the other.
private struct RFC3339Text {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    static func milliseconds(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
        var text = RFC3339Text(bytes: bytes)
        guard let year = text.number(4), text.skip("-"), let month = text.number(2), text.skip("-"),
            let day = text.number(2), text.skip("T") || text.skip("t"),
            let hour = text.number(2), text.skip(":"), let minute = text.number(2), text.skip(":"),
            let second = text.number(2), let fraction = text.fraction(), let offset = text.offsetMinutes(),
            text.position == bytes.count, hour < 24, minute < 60, second <= 60,
            let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        let minutes = date.daysSince1970 * 1440 + hour * 60 + minute - offset
        return (minutes * 60 + second) * 1000 + fraction
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// Exactly so many digits.
    private mutating func number(_ length: Int) -> Int64? {
        var value: Int64 = 0
        for _ in 0..<length {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    /// Milliseconds; 0 without a fraction, nil for a point without digits.
    private mutating func fraction() -> Int64? {
        guard skip(".") else { return 0 }
        guard let first = digit() else { return nil }
        var milliseconds = first * 100
        var weight: Int64 = 10
        while let digit = digit() {
            milliseconds += digit * weight
            weight /= 10
        }
        return milliseconds
    }

    private mutating func offsetMinutes() -> Int64? {
        if skip("Z") || skip("z") { return 0 }
        let isWest = skip("-")
        guard isWest || skip("+"), let hours = number(2), skip(":"), let minutes = number(2), hours < 24,
            minutes < 60
        else { return nil }
        return (hours * 60 + minutes) * (isWest ? -1 : 1)
    }

    private mutating func digit() -> Int64? {
        guard position < bytes.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[position] else {
            return nil
        }
        defer { position += 1 }
        return Int64(bytes[position] - UInt8(ascii: "0"))
    }
}

extension UnsafeMutableBufferPointer<UInt8> {
    /// `number`'s last digits, with leading zeros, then one more character.
    fileprivate func put(_ number: Int64, digits: Int, at start: Int, before end: Unicode.Scalar) {
        var rest = number
        for index in (start..<start + digits).reversed() {
            initializeElement(at: index, to: UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        }
        initializeElement(at: start + digits, to: UInt8(ascii: end))
    }
}

/// A day of the proleptic Gregorian calendar. The arithmetic counts years from March, so that the leap day is a
/// year's last, in eras of 400 years, which all have 146,097 days.
private struct CivilDate {
    let year: Int64
    let month: Int64
    let day: Int64

    /// nil for a day that the calendar does not have.
    init?(year: Int64, month: Int64, day: Int64) {
        guard (1...12).contains(month), day >= 1 else { return nil }
        self.init(daysSince1970: Self.days(year, month, day))
        guard self.month == month, self.day == day else { return nil }
    }

    init(daysSince1970 days: Int64) {
        let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var daysSince1970: Int64 { Self.days(year, month, day) }

    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let (era, yearOfEra) = (month <= 2 ? year - 1 : year).flooredDivision(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}

extension Int64 {
    /// The remainder is never negative.
    fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
