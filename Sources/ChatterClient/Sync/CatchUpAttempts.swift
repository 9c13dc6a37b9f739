import ChatterModel

/// How often one job of the catch-up is tried, and when it is given up. Outages never exhaust.
struct CatchUpAttempts: Hashable, Sendable {
    enum Consequence: Hashable, Sendable {
        case again(after: Duration)
        case end(CatchUpPlan.Ending)
        /// The token, not the job: the connection is to be made anew, and the job with it.
        case tokenRefused
    }

    static let faultLimit = 8
    static let longestHold = Duration.seconds(300)

    private var failures = 0
    private var faults = 0

    /// `random` in 0..<1.
    mutating func failed(
        _ error: ClientError, in job: CatchUpPlan.Job, random: Double
    ) -> Consequence {
        failures += 1
        switch error.failureClass {
        case .success, .outage: return again(error, random)
        case .unauthorised: return .tokenRefused
        case .fault:
            faults += 1
            return faults < Self.faultLimit ? again(error, random) : .end(.failed)
        case .refusal:
            // A chat that is not this account's any more has nothing to fetch.
            if case .messages = job, error.code == .notFound { return .end(.notToBeHad) }
            return .end(.failed)
        }
    }

    private func again(_ error: ClientError, _ random: Double) -> Consequence {
        let hold = min(error.retryAfter ?? .zero, Self.longestHold)
        return .again(after: max(Backoff.delay(failures: failures, random: random), hold))
    }
}
