import ChatterModel

/// What of the outbox leaves when, and what an answer means: the contract's "Retry and the outbox". The entries lie in
/// the database; the machine knows which lanes have something under way and decides.
struct OutboxMachine: Hashable, Sendable {
    /// The way that entries leave.
    enum Route: Hashable, Sendable {
        case none
        /// By REST alone, while the socket is refused.
        case rest
        case socket(generation: Int)
    }

    enum Outcome: Hashable, Sendable {
        /// The server has it, or there was nothing left to do.
        case done
        /// The connection went away under it: with the next one it leaves again.
        case disconnected
        case outage(retryAfter: Duration?)
        /// The server broke on it.
        case fault
        /// The token, not the entry.
        case unauthorised
        /// No. `isDone`: but because things already are so.
        case refused(code: String, isDone: Bool)
    }

    enum Consequence: Hashable, Sendable {
        case none
        case settle
        /// `until` nil: with the next connection.
        case postpone(until: Timestamp?, isHeld: Bool, faults: Int)
        case refreshAndPostpone(until: Timestamp, faults: Int)
        case fail(FailureReason)
    }

    struct Plan: Hashable, Sendable {
        var departures: [OutboxHead] = []
        /// When the next entry is due.
        var wakeAfter: Duration?
    }

    static let faultLimit = 8
    static let longestHold = Duration.seconds(3600)
    /// Lanes with something under way at once.
    static let width = 8

    var route = Route.none
    /// By lane: at most one each.
    private(set) var underWay: [String: Int64] = [:]

    var isIdle: Bool { underWay.isEmpty }
}

extension OutboxMachine {
    /// `heads`: the oldest waiting entry of each lane.
    mutating func depart(_ heads: [OutboxHead], at now: Timestamp) -> Plan {
        var plan = Plan()
        guard route != .none else { return plan }
        for head in heads where underWay[head.lane] == nil {
            let wait = wait(of: head, at: now)
            if wait > .zero {
                plan.wakeAfter = min(plan.wakeAfter ?? wait, wait)
            } else if underWay.count < Self.width {
                underWay[head.lane] = head.id
                plan.departures.append(head)
            }
        }
        return plan
    }

    /// No entry ever waits longer than `longestHold`: a time further away means that the clock was set back.
    private func wait(of head: OutboxHead, at now: Timestamp) -> Duration {
        guard let next = head.nextAttemptAt else { return .zero }
        let wait = now.duration(to: next)
        return wait > Self.longestHold ? .zero : wait
    }

    /// The lane is free again; to be called once the consequence is stored.
    mutating func release(_ head: OutboxHead) {
        if underWay[head.lane] == head.id { underWay[head.lane] = nil }
    }

    /// What an answer means. `head`: as it was before this departure; `random` in 0..<1.
    func consequence(
        of outcome: Outcome, for head: OutboxHead, at now: Timestamp, random: Double
    ) -> Consequence {
        switch outcome {
        case .done: return .none
        case .disconnected: return .postpone(until: nil, isHeld: false, faults: head.faults)
        case .outage(let retryAfter?):
            let hold = min(max(retryAfter, .zero), Self.longestHold)
            return .postpone(until: now.advanced(by: hold), isHeld: true, faults: head.faults)
        case .outage(nil):
            let delay = Backoff.delay(failures: head.attempts + 1, random: random)
            return .postpone(until: now.advanced(by: delay), isHeld: false, faults: head.faults)
        case .unauthorised:
            let delay = Backoff.delay(failures: head.attempts + 1, random: random)
            return .refreshAndPostpone(until: now.advanced(by: delay), faults: head.faults)
        case .fault:
            let faults = head.faults + 1
            if faults >= Self.faultLimit { return .fail(.serverFault) }
            let delay = Backoff.delay(failures: faults, random: random)
            return .postpone(until: now.advanced(by: delay), isHeld: false, faults: faults)
        case .refused(let code, let isDone):
            return isDone ? .settle : .fail(FailureReason(code: code))
        }
    }
}
