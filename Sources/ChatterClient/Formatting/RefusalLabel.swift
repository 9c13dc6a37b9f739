import ChatterModel

/// Why the server, or a rule of the contract, said no: English; apps with other languages switch over the codes. The
/// errors' own texts are for developers.
public enum RefusalLabel {
    /// nil for a code without words.
    ///
    /// - Parameter details: of `VALIDATION_FAILED`: the field and the rule that it breaks.
    public static func text(code: String, _ details: [String: String]? = nil) -> String? {
        if let field = details?["field"], let rule = details?["rule"] {
            return "\(name(ofField: field)) \(rule)."
        }
        return switch ErrorCode(rawValue: code) {
        case .codeInvalid: "That code is not right."
        case .codeExpired: "That code has expired; ask for a new one."
        case .notFriends: "You are not friends."
        case .blocked: "You have blocked them."
        case .usernameTaken: "That username is taken."
        case .alreadyFriends: "You are friends already."
        case .requestClosed: "That friend request is no longer open."
        case .userDeleted: "That account no longer exists."
        case .notFound: "The server does not know that."
        case .rateLimited: "Too many tries; wait a little."
        default: nil
        }
    }

    /// Why an action will not be tried again by itself.
    public static func text(_ reason: FailureReason) -> String {
        if reason == .serverFault { return "The server failed again and again." }
        return text(code: reason.code) ?? "The server said no (\(reason.code))."
    }

    private static func name(ofField field: String) -> String {
        switch field {
        case "about": "The line about you"
        case "body": "A message"
        case "code": "The code"
        case "comment": "The comment"
        case "displayName": "A name"
        case "phone": "The phone number"
        case "q": "What you look for"
        case "username": "A username"
        default: "\(field):"
        }
    }
}
