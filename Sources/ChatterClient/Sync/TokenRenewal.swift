/// When a standing connection's token is renewed: before the server would close the connection for its end.
struct TokenRenewal: Hashable, Sendable {
    /// For a server whose tokens hardly live: they must not become a loop.
    static let shortestWait = Duration.seconds(5)

    private(set) var isUnderWay = false
    private var failures = 0

    /// The token holds for `life`. Answers how long to wait: until a quarter of the margin or less of the time in which
    /// any call would renew it has gone by, so that devices that signed in together do not come together.
    mutating func wait(life: Duration, random: Double) -> Duration {
        self = TokenRenewal()
        let margin = min(TokenRefresher.margin, life / 2)
        return max(Self.shortestWait, life - margin * (1 - random / 4))
    }

    mutating func begin() { isUnderWay = true }

    /// How long to wait before it is tried again.
    mutating func failed(retryAfter: Duration?, random: Double) -> Duration {
        isUnderWay = false
        failures += 1
        let hold = min(max(retryAfter ?? .zero, .zero), ConnectionMachine.longestHold)
        return hold + Backoff.delay(failures: failures, random: random)
    }
}
