import ChatterClient
import ChatterModel

/// The app's own words for the wire's codes: the server's are for developers.
enum Words {
    /// - Parameter details: Of `VALIDATION_FAILED`: the field and the rule that it breaks.
    static func refusal(code: String, _ details: [String: String]? = nil, fallback: String) -> String {
        if let field = details?["field"], let rule = details?["rule"] {
            return "\(name(ofField: field)) \(rule)."
        }
        guard let known = ErrorCode(rawValue: code) else { return fallback }
        return switch known {
        case .codeInvalid: "That code is not right."
        case .codeExpired: "That code has expired; ask for a new one."
        case .clientKeyInvalid: "The server does not know this workspace; check --client-key."
        case .notFriends: "You are not friends."
        case .blocked: "You have blocked them."
        case .usernameTaken: "That username is taken."
        case .alreadyFriends: "You are friends already."
        case .requestClosed: "That friend request is no longer open."
        case .userDeleted: "That account no longer exists."
        case .notFound: "The server does not know that."
        case .profileIncomplete: Failure.profileIncomplete.message
        case .rateLimited: "Too many tries; wait a little."
        default: fallback
        }
    }

    private static func name(ofField field: String) -> String {
        switch field {
        case "about": "The line about you"
        case "body": "A message"
        case "comment": "The comment"
        case "displayName": "A name"
        case "phone": "The phone number"
        case "q": "What you look for"
        case "username": "A username"
        default: "\(field):"
        }
    }

    /// Why a message or another action failed for good.
    static func failure(_ reason: FailureReason) -> String {
        if reason == .serverFault { return "The server failed again and again." }
        return refusal(code: reason.code, fallback: "The server said no (\(reason.code)).")
    }

    /// Why a call got no answer. The system's own text is for developers; `chatter status` has it.
    static func outage(_ error: ClientError) -> String {
        if error.status == 429 { return refusal(code: ErrorCode.rateLimited.rawValue, fallback: "") }
        guard let status = error.status else { return "The server can't be reached." }
        return "The server can't answer now (HTTP \(status)); try again later."
    }

    static func fault(_ error: ClientError) -> String {
        guard let status = error.status else { return "The server's answer can't be understood." }
        return "The server failed (HTTP \(status))."
    }

    static func name(of user: User) -> String {
        Printable.line(user.displayName ?? user.username.map { "@\($0)" } ?? "Deleted account")
    }

    /// `Alice (@alice)`.
    static func fullName(of user: User) -> String {
        guard let username = user.username, user.displayName != nil else { return name(of: user) }
        return "\(name(of: user)) (@\(Printable.line(username)))"
    }

    static func connection(_ state: ConnectionState) -> String {
        switch state {
        case .online: "online"
        case .syncing: "connected, fetching what was missed"
        case .connecting: "connecting"
        case .offline(.stopped, _): "not started"
        case .offline(.signedOut, _): "signed out"
        case .offline(.noNetwork, _): "no network"
        case .offline(.failed, _): "the server can't be reached"
        }
    }

    /// What to tell about the database on this machine; nil while all is well.
    static func storage(_ state: StorageState) -> String? {
        switch state {
        case .sound: nil
        case .repaired: "The database here was damaged and has been repaired. Nothing was lost."
        case .salvaged:
            "The database here was damaged. What could be read was saved; the rest is fetched from the server again."
        case .failing(let error): "The database here can't be used at present: \(error.message)."
        case .damaged: "The database here is damaged. The next command repairs it."
        }
    }

    static func count(_ number: Int, _ noun: String, plural: String? = nil) -> String {
        "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
    }
}
