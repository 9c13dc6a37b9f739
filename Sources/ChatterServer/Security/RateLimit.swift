import ChatterModel

/// How often one user, or one address, may do something: a bucket that holds `burst` and refills by `perMinute`.
struct RateLimit: Sendable, Hashable {
    /// Calls of the same name share a bucket.
    let name: String
    let burst: Double
    let perMinute: Double

    /// Sending messages, by socket and by REST together.
    static let messages = RateLimit(name: "messages", burst: 300, perMinute: 1_200)
    /// Searching for people: an exact number or a prefix must not be a way to list everybody.
    static let search = RateLimit(name: "search", burst: 30, perMinute: 60)
    static let friendRequests = RateLimit(name: "friend-requests", burst: 30, perMinute: 30)
    static let reports = RateLimit(name: "reports", burst: 10, perMinute: 10)
    /// Whatever has no limit of its own.
    static let calls = RateLimit(name: "calls", burst: 300, perMinute: 1_200)
}
