import Arguments

/// What a program learns from a run. Documented in docs/command-line.md and `chatter --help`.
enum ExitCode: Int32, CaseIterable {
    case ok = 0
    case failure = 1
    /// The server, or the same rules on this side, said no.
    case refused = 2
    /// Not reached in time. What was written stays queued.
    case offline = 3
    case notSignedIn = 4
    case usage = 64
    /// EX_CANTCREAT: the profile's folder cannot be made or written.
    case noFolder = 73
    /// EX_TEMPFAIL: another process has the profile open.
    case profileInUse = 75
}
