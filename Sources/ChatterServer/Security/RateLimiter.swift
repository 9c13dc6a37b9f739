import ChatterModel
import Synchronization

/// Token buckets by limit and key. A bucket not touched until it would be full again is forgotten.
final class RateLimiter: Sendable {
    private struct Key: Hashable {
        let limit: String
        let key: String
    }

    private struct Bucket {
        var tokens: Double
        var at: Duration
    }

    private struct State {
        var recent: [Key: Bucket] = [:]
        var older: [Key: Bucket] = [:]
        var turnedAt = Duration.zero
    }

    private let state = Mutex(State())
    private let clock: any ServerClock
    private let isOn: Bool
    /// Every limit is full again after this long, so that older buckets say nothing.
    private let turn = Duration.seconds(3600)
    private let capacity: Int

    init(clock: any ServerClock, isOn: Bool, capacity: Int = 200_000) {
        self.clock = clock
        self.isOn = isOn
        self.capacity = capacity
    }

    /// Takes one token, or throws RATE_LIMITED with the seconds until there is one.
    func take(_ limit: RateLimit, for key: String) throws(APIError) {
        guard isOn, let seconds = secondsUntilFree(limit, key) else { return }
        throw APIError(.rateLimited, "too many \(limit.name): wait", retryAfter: seconds)
    }

    /// As `take`, for everybody at this address together.
    func take(_ limit: RateLimit, address: String) throws(APIError) {
        try take(limit, for: AddressKey.of(address))
    }

    /// Runs a check of credentials. A refusal costs the address a token, and is RATE_LIMITED once there is none. An
    /// ended token costs nothing: it is one of ours, and its owner must be told to refresh it.
    func countingRefusals<T>(of address: String, _ check: () throws -> T) throws -> T {
        do {
            return try check()
        } catch let error as APIError where error.code == .tokenInvalid || error.code == .clientKeyInvalid {
            try take(.refusedCredentials, address: address)
            throw error
        }
    }

    /// Buckets in memory.
    var bucketCount: Int { state.withLock { $0.recent.count + $0.older.count } }

    private func secondsUntilFree(_ limit: RateLimit, _ key: String) -> Int? {
        let now = clock.uptime
        return state.withLock { state in
            turnOver(&state, now)
            let key = Key(limit: limit.name, key: key)
            var bucket = state.recent[key] ?? state.older[key] ?? Bucket(tokens: limit.burst, at: now)
            bucket.tokens = min(
                limit.burst, bucket.tokens + (now - bucket.at) / .seconds(60) * limit.perMinute)
            bucket.at = now
            let isFree = bucket.tokens >= 1
            if isFree { bucket.tokens -= 1 }
            state.recent[key] = bucket
            return isFree ? nil : Int(((1 - bucket.tokens) / limit.perMinute * 60).rounded(.up))
        }
    }

    private func turnOver(_ state: inout State, _ now: Duration) {
        guard now - state.turnedAt > turn || state.recent.count >= capacity else { return }
        state.older = state.recent
        state.recent = [:]
        state.turnedAt = now
    }
}
