/// How long to wait before the next attempt: full jitter over 1, 2, 4 … 30 s.
enum Backoff {
    static let cap = Duration.seconds(30)

    /// `failures`: how many attempts failed in a row, 1 after the first. `random` in 0..<1.
    static func delay(failures: Int, random: Double) -> Duration {
        window(failures: failures) * random
    }

    /// The longest that `delay` can be.
    static func window(failures: Int) -> Duration {
        min(cap, .seconds(1 << min(max(failures, 1) - 1, 5)))
    }
}
