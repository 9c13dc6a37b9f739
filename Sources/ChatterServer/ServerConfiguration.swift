/// What an operator decides.
public struct ServerConfiguration: Sendable {
    /// The database file; created when it is missing.
    public var databasePath: String
    /// Every code is 000000 and nothing is sent: for development. Anybody can then sign in as anybody.
    public var isChallengeMode = true
    public var hasEchoBot = true
    public var limitsRates = true
    /// Reads and writes run at once on whoever asks: slow, and the same in every run. For simulations.
    public var runsInline = false
    /// Behind a reverse proxy the caller's address is the last one of `X-Forwarded-For`. Without a proxy in
    /// front anybody could write that header and dodge the limits by address.
    public var trustsForwardedFor = false
    /// A name or a numeric address; `::` serves IPv4 as well.
    public var host = "127.0.0.1"
    /// 0 picks a free one.
    public var port: UInt16 = 8080
    /// PEM files; both or none.
    public var certificatePath: String?
    public var privateKeyPath: String?

    public init(databasePath: String) { self.databasePath = databasePath }
}
