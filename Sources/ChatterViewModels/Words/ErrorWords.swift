import ChatterClient
import ChatterModel

/// What a person is told when something did not work. The errors' own texts are for developers.
nonisolated enum ErrorWords {
    static func sentence(_ error: ClientError) -> String {
        switch error.kind {
        case .outage: outage(error)
        case .fault: "The server had a problem. Try again in a moment."
        case .refused(let code):
            RefusalLabel.text(code: code, error.details) ?? "The server said no (\(code))."
        case .unauthorised, .signedOut: "You are signed out. Sign in again."
        case .clientKeyRefused: "The server does not know this app's workspace."
        case .invalid:
            RefusalLabel.text(code: ErrorCode.validationFailed.rawValue, error.details)
                ?? "That can't be used."
        case .notFound: "That is no longer here."
        case .profileInUse: "Another window has this profile open."
        case .storage where error.isDiskFull: "This device is full. Free some space, then try again."
        case .storage: "This device's storage can't be used right now."
        case .cancelled, .closed: "That was interrupted."
        }
    }

    /// A rule of the contract, checked on this side.
    static func sentence(_ error: APIError) -> String {
        RefusalLabel.text(code: error.code.rawValue, error.details) ?? "That can't be used."
    }

    private static func outage(_ error: ClientError) -> String {
        guard error.code == .rateLimited || error.status == 429 else {
            return "The server can't be reached. Check your connection."
        }
        guard let wait = error.retryAfter else { return "Too many tries. Wait a little." }
        return "Too many tries. Try again in \(span(wait))."
    }

    static func span(_ duration: Duration) -> String {
        let seconds = max(1, duration.components.seconds)
        guard seconds >= 90 else { return seconds == 1 ? "a second" : "\(seconds) seconds" }
        return "\((seconds + 30) / 60) minutes"
    }
}
