/// The text of a message: stored and returned byte for byte, never trimmed, normalised or cut.
public enum MessageText {
    /// Throws VALIDATION_FAILED for a body that shows nothing, holds U+0000, or is above 4,096 user-visible
    /// characters (extended grapheme clusters) or 65,536 UTF-8 bytes.
    public static func check(_ body: String) throws(APIError) {
        let bytes = body.utf8
        guard bytes.count <= Limits.messageBytes else {
            throw .invalid("body", "must be at most \(Limits.messageBytes) bytes")
        }
        guard !body.isLonger(than: Limits.messageCharacters) else {
            throw .invalid("body", "must be at most \(Limits.messageCharacters) characters")
        }
        guard !bytes.contains(0) else { throw .invalid("body", "must not hold U+0000") }
        guard !body.looksBlank else { throw .invalid("body", "must not be blank") }
    }
}

/// What somebody adds to a report; may be empty.
public enum ReportComment {
    /// Throws VALIDATION_FAILED for a comment that holds U+0000 or is above 1,000 characters or 16,000 bytes.
    public static func check(_ comment: String) throws(APIError) {
        guard comment.utf8.count <= Limits.reportBytes, !comment.isLonger(than: Limits.reportCharacters)
        else {
            throw .invalid("comment", "must be at most \(Limits.reportCharacters) characters")
        }
        guard !comment.utf8.contains(0) else { throw .invalid("comment", "must not hold U+0000") }
    }
}

extension String {
    /// Whether it has more user-visible characters. Counts no further than that, and not at all a text of as many
    /// bytes: none has more characters than bytes.
    func isLonger(than characters: Int) -> Bool {
        guard utf8.count > characters else { return false }
        guard let end = index(startIndex, offsetBy: characters, limitedBy: endIndex) else { return false }
        return end < endIndex
    }
}
