import ChatterModel

/// How often one user, or one address, may do something: a bucket that holds `burst` and refills by `perMinute`.
struct RateLimit: Sendable, Hashable {
    /// Calls of the same name share a bucket.
    let name: String
    let burst: Double
    let perMinute: Double

    /// Sending messages, by socket and by REST together.
    static let messages = RateLimit(name: "messages", burst: 300, perMinute: 1_200)
    /// Frames of any type on a user's sockets together.
    static let frames = RateLimit(name: "frames", burst: 600, perMinute: 6_000)
    /// Answers of RATE_LIMITED on one socket before it is closed for flooding.
    static let refusedFrames = RateLimit(name: "refused frames", burst: 300, perMinute: 60)
    /// Searching for people: an exact number or a prefix must not be a way to list everybody.
    static let search = RateLimit(name: "search", burst: 30, perMinute: 60)
    static let friendRequests = RateLimit(name: "friend-requests", burst: 30, perMinute: 30)
    static let reports = RateLimit(name: "reports", burst: 10, perMinute: 10)
    /// Whatever has no limit of its own.
    static let calls = RateLimit(name: "calls", burst: 300, perMinute: 1_200)

    // A text message costs money, and five attempts a code times the codes of an hour bound all guessing.
    static let codesByPhone = RateLimit(name: "codes", burst: 5, perMinute: 0.2)
    static let codesByAddress = RateLimit(name: "codes from this address", burst: 60, perMinute: 30)
    static let attemptsByPhone = RateLimit(name: "attempts", burst: 15, perMinute: 2)
    static let attemptsByAddress = RateLimit(name: "attempts from this address", burst: 60, perMinute: 30)
    /// Keys, secrets and tokens that open nothing, by call or by socket. Only failures count: who is signed in behind
    /// the same address is not made to wait.
    static let refusedCredentials = RateLimit(name: "refused credentials", burst: 120, perMinute: 60)
    static let refreshes = RateLimit(name: "refreshes from this address", burst: 300, perMinute: 300)
}
