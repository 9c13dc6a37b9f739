import ChatterModel

/// Reads `Retry-After`.
enum RetryAfter {
    /// Seconds, or a date seen from `now`, the server's time. nil for garbage: the caller's own back-off holds then.
    /// A date that has passed is zero. Not capped here: who waits decides what is absurd.
    static func parse(_ text: String, now: Timestamp) -> Duration? {
        let text = text.trimmed
        if !text.isEmpty, text.allSatisfy(\.isASCIIDigit) {
            // Digits that do not fit are an absurdly long time, not garbage.
            return .seconds(min(Int64(text) ?? .max, longest))
        }
        guard let date = HTTPDate.parse(text) else { return nil }
        return max(.zero, now.duration(to: date))
    }

    private static let longest: Int64 = 366 * 86_400
}

extension String {
    fileprivate var trimmed: String {
        String(drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) && isASCII }
}
