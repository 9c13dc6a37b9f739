import ChatterClient
import ChatterModel

/// The app's own words for the wire's codes: the server's are for developers.
enum Words {
    /// The labels that all apps share, and what only this one can advise.
    static func refusal(code: String, _ details: [String: String]? = nil, fallback: String) -> String {
        switch ErrorCode(rawValue: code) {
        case .clientKeyInvalid: "The server does not know this workspace; check --client-key."
        case .profileIncomplete: Failure.profileIncomplete.message
        default: RefusalLabel.text(code: code, details) ?? fallback
        }
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
        Printable.line(PersonLabel.name(of: user))
    }

    /// `Alice (@alice)`.
    static func fullName(of user: User) -> String {
        guard let username = user.username, user.displayName != nil else { return name(of: user) }
        return "\(name(of: user)) (@\(Printable.line(username)))"
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
