import ChatterModel

@testable import ChatterClient

/// A machine with its timers on a clock of its own.
struct ConnectionBench {
    typealias Input = ConnectionMachine.Input
    typealias Timer = ConnectionMachine.Timer

    var machine = ConnectionMachine()
    var time = Duration.zero
    var random = 0.5
    /// When each armed timer fires.
    var timers: [Timer: Duration] = [:]
    var connects: [Duration] = []
    var refreshes = 0
    var logOuts = 0
    var pings = 0
    var published: [ConnectionState] = []
    /// Sockets that were opened and not closed.
    var open: Set<Int> = []
    var syncs: [Int] = []

    mutating func put(_ inputs: Input...) {
        for input in inputs { put(input) }
    }

    private mutating func put(_ input: Input) {
        if case .socketOpened(let generation) = input { open.insert(generation) }
        let moment = ConnectionMachine.Moment(now: Samples.noon.advanced(by: time), random: random)
        for action in machine.handle(input, at: moment) {
            switch action {
            case .connect: connects.append(time)
            case .close(let generation): open.remove(generation)
            case .arm(let timer, let delay): timers[timer] = time + delay
            case .disarm(let timer): timers[timer] = nil
            case .sendPing: pings += 1
            case .refreshToken: refreshes += 1
            case .logOut: logOuts += 1
            case .beginSync(let generation): syncs.append(generation)
            case .publish(let state): published.append(state)
            }
        }
    }

    /// Lets time pass, firing what is due.
    mutating func pass(_ duration: Duration) {
        let end = time + duration
        while let (timer, due) = timers.filter({ $0.value <= end }).min(by: { $0.value < $1.value }) {
            timers[timer] = nil
            time = due
            put(.timerFired(timer))
        }
        time = end
    }

    /// Lets time pass until the next attempt starts; how long that took.
    mutating func passToAttempt() -> Duration {
        let wait = (timers[.retry] ?? time) - time
        pass(wait)
        return wait
    }

    var generation: Int { machine.generation }

    mutating func goOnline() {
        put(
            .socketOpened(generation: generation), .ready(generation: generation),
            .synced(generation: generation))
    }

    mutating func drop(_ code: CloseCode? = nil) {
        open.remove(generation)
        put(.socketClosed(generation: generation, code: code?.rawValue, reason: "test"))
    }

    static func online() -> ConnectionBench {
        var bench = ConnectionBench()
        bench.put(.start)
        bench.goOnline()
        return bench
    }
}

extension ConnectionBench {
    /// Timers that lead on by themselves: exactly one in every phase that is not at rest.
    var progressTimers: Int {
        [Timer.retry, .handshake, .ready, .ping, .pong, .refresh].count { timers[$0] != nil }
    }

    mutating func fire(_ timer: Timer) {
        guard let due = timers.removeValue(forKey: timer) else { return }
        time = max(time, due)
        put(.timerFired(timer))
    }

    /// A network and a server that are well.
    mutating func answerEverything(for duration: Duration) {
        let end = time + duration
        while time < end {
            switch machine.phase {
            case .connecting: put(.socketOpened(generation: generation))
            case .awaitingReady: put(.ready(generation: generation))
            case .refreshing: put(.tokenRefreshed)
            case .online:
                if machine.awaitsPong { put(.heard(generation: generation)) }
                pass(.seconds(1))
            case .waiting, .stopped, .signedOut: pass(.seconds(1))
            }
        }
    }
}
