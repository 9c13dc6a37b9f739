import ChatterClient
import ChatterModel

/// What a person is told when something did not work. The errors' own texts are for developers.
nonisolated enum ErrorWords {
    static func sentence(_ error: ClientError) -> String {
        switch error.kind {
        case .outage: outage(error)
        case .fault: "The server had a problem. Try again in a moment."
        case .refused(let code): refusal(code: code, error.details)
        case .unauthorised, .signedOut: "You are signed out. Sign in again."
        case .clientKeyRefused: "The server does not know this app's workspace."
        case .invalid: rule(error.details) ?? "That can't be used."
        case .notFound: "That is no longer here."
        case .profileInUse: "Another window has this profile open."
        case .storage: "This device's storage can't be used right now. Is it full?"
        case .cancelled, .closed: "That was interrupted."
        }
    }

    private static func outage(_ error: ClientError) -> String {
        guard error.code == .rateLimited || error.status == 429 else {
            return "The server can't be reached. Check your connection."
        }
        guard let wait = error.retryAfter else { return "Too many tries. Wait a little." }
        return "Too many tries. Try again in \(span(wait))."
    }

    /// - Parameter details: of `VALIDATION_FAILED`: the field and the rule that it breaks.
    static func refusal(code: String, _ details: [String: String]? = nil) -> String {
        if let rule = rule(details) { return rule }
        return switch ErrorCode(rawValue: code) {
        case .codeInvalid: "That code is not right."
        case .codeExpired: "That code has expired. Ask for a new one."
        case .notFriends: "You are not friends."
        case .blocked: "You have blocked this person."
        case .usernameTaken: "That username is taken."
        case .alreadyFriends: "You are friends already."
        case .requestClosed: "That friend request is no longer open."
        case .userDeleted: "This account no longer exists."
        case .notFound: "That is no longer there."
        case .rateLimited: "Too many tries. Wait a little."
        default: "The server said no (\(code))."
        }
    }

    /// Why an action failed for good.
    static func failure(_ reason: FailureReason) -> String {
        reason == .serverFault ? "The server failed again and again." : refusal(code: reason.code)
    }

    private static func rule(_ details: [String: String]?) -> String? {
        guard let field = details?["field"], let rule = details?["rule"] else { return nil }
        return "\(name(of: field)) \(rule)."
    }

    private static func name(of field: String) -> String {
        switch field {
        case "displayName": "The name"
        case "username": "The username"
        case "about": "“About”"
        case "phone": "The phone number"
        case "code": "The code"
        case "body": "The message"
        case "comment": "The comment"
        default: field
        }
    }

    static func span(_ duration: Duration) -> String {
        let seconds = max(1, duration.components.seconds)
        guard seconds >= 90 else { return seconds == 1 ? "a second" : "\(seconds) seconds" }
        return "\((seconds + 30) / 60) minutes"
    }
}
