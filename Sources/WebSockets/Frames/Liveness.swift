/// Whether a peer still shows signs of life: silent peers are pinged once, and given up when that brings nothing.
///
/// TCP alone notices a peer that vanished without a word only when something is sent to it, and then after
/// many minutes.
struct Liveness {
    enum Verdict: Equatable {
        /// Look again then.
        case fine(until: ContinuousClock.Instant)
        /// Send a ping, and look again then.
        case ping(until: ContinuousClock.Instant)
        case dead
    }

    let idlePing: Duration
    let idleClose: Duration
    private var lastSign: ContinuousClock.Instant
    private var isPingOut = false

    init(idlePing: Duration, idleClose: Duration, now: ContinuousClock.Instant) {
        self.idlePing = idlePing
        self.idleClose = idleClose
        lastSign = now
    }

    /// Something arrived, or the peer made room for more.
    mutating func sign(_ now: ContinuousClock.Instant) {
        lastSign = now
        isPingOut = false
    }

    mutating func look(_ now: ContinuousClock.Instant) -> Verdict {
        let end = lastSign + idleClose
        guard now < end else { return .dead }
        guard !isPingOut else { return .fine(until: end) }
        let pingTime = lastSign + idlePing
        guard now >= pingTime else { return .fine(until: min(pingTime, end)) }
        isPingOut = true
        return .ping(until: end)
    }
}
