import Arguments

/// What a program learns from a run. Documented in docs/command-line.md and `chatter --help`.
enum ExitCode: Int32, CaseIterable {
    case ok = 0
    case failure = 1
    /// The server, or the same rules on this side, said no.
    case refused = 2
    /// Not reached in time. What was written stays queued: only for what is in the outbox.
    case offline = 3
    case notSignedIn = 4
    case usage = 64
    /// EX_UNAVAILABLE: the server was not reached, and nothing of this run goes out later.
    case unreachable = 69
    /// EX_CANTCREAT: the profile's folder cannot be made or written.
    case noFolder = 73
    /// EX_TEMPFAIL: another process has the profile open.
    case profileInUse = 75
}

extension ExitCode {
    /// Of a failure that has no better code in `--json`.
    var word: String {
        switch self {
        case .ok: "OK"
        case .failure: "FAILED"
        case .refused: "REFUSED"
        case .offline: "OFFLINE"
        case .notSignedIn: "NOT_SIGNED_IN"
        case .usage: "USAGE"
        case .unreachable: "UNREACHABLE"
        case .noFolder: "NO_FOLDER"
        case .profileInUse: "PROFILE_IN_USE"
        }
    }

    /// As in `--help` and the table of the documentation.
    var meaning: String {
        switch self {
        case .ok: "done"
        case .failure: "failed"
        case .refused: "refused"
        case .offline: "the server was not reached in time; what you wrote stays queued"
        case .notSignedIn: "not signed in"
        case .usage: "wrong usage"
        case .unreachable: "the server was not reached; nothing was queued"
        case .noFolder: "the profile's folder can't be used"
        case .profileInUse: "the profile is in use"
        }
    }

    /// `0 done, 1 failed, …`
    static var summary: String { allCases.map { "\($0.rawValue) \($0.meaning)" }.joined(separator: ", ") }
}
