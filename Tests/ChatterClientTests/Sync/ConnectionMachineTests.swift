import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterClient

/// A machine with its timers on a clock of its own.
private struct Bench {
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

    static func online() -> Bench {
        var bench = Bench()
        bench.put(.start)
        bench.goOnline()
        return bench
    }
}

@Suite("Connecting")
struct ConnectionMachineTests {
    @Test("From start to online")
    func comesUp() {
        var bench = Bench()
        bench.put(.start)
        #expect(bench.connects == [.zero])
        bench.put(.socketOpened(generation: 1))
        #expect(bench.syncs.isEmpty)
        bench.put(.ready(generation: 1))
        #expect(bench.syncs == [1])
        #expect(bench.machine.route == .socket(generation: 1))
        bench.put(.synced(generation: 1))
        #expect(bench.published == [.connecting, .syncing, .online])
    }

    @Test("A ping leaves every 25 s, and a missing pong ends the connection after 10 s")
    func pings() {
        var bench = Bench.online()
        for round in 1...3 {
            bench.pass(.seconds(25))
            #expect(bench.pings == round)
            #expect(bench.machine.awaitsPong)
            bench.put(.heard(generation: bench.generation))
        }
        bench.pass(.seconds(34))
        #expect(bench.machine.phase == .online)
        bench.pass(.seconds(1))
        #expect(bench.machine.phase == .waiting(isHeld: false))
        #expect(bench.open.isEmpty)
    }

    @Test("Back-off grows to 30 s and only a stable connection resets it")
    func backsOff() {
        var bench = Bench()
        bench.random = 0.999_999
        bench.put(.start)
        var waits: [Int64] = []
        for _ in 0..<8 {
            bench.put(.connectFailed(generation: bench.generation, reason: "refused"))
            waits.append(bench.passToAttempt().components.seconds + 1)
        }
        #expect(waits == [1, 2, 4, 8, 16, 30, 30, 30])
        bench.goOnline()
        bench.pass(.seconds(29))
        bench.drop()
        #expect(bench.timers[.retry].map { $0 - bench.time > .seconds(29) } == true)
        _ = bench.passToAttempt()
        bench.goOnline()
        bench.pass(.seconds(30))
        bench.put(.heard(generation: bench.generation))
        bench.drop()
        #expect(bench.timers[.retry].map { $0 - bench.time <= .seconds(1) } == true)
    }

    // Field case 51
    @Test("A handshake answered 401 leads to one refresh and another attempt")
    func handshakeRefused() {
        var bench = Bench()
        bench.put(.start, .handshakeRefused(generation: 1, status: 401, retryAfter: nil))
        #expect(bench.refreshes == 1)
        #expect(bench.connects.count == 1)
        bench.put(.tokenRefreshed)
        #expect(bench.connects.count == 2)
        bench.goOnline()
        #expect(bench.machine.phase == .online)
        #expect(bench.logOuts == 0)
    }

    // Field case 51
    @Test(
        "A session closed with 4001 or 4003 refreshes once and reconnects",
        arguments: [CloseCode.tokenExpired, .signedOut])
    func closedForItsToken(code: CloseCode) {
        var bench = Bench.online()
        bench.drop(code)
        #expect(bench.refreshes == 1)
        bench.put(.tokenRefreshed)
        bench.goOnline()
        #expect(bench.machine.phase == .online)
        #expect(bench.connects.count == 2)
    }

    // Field case 51
    @Test("A server that refuses every fresh token is asked no more often than the back-off allows")
    func refusedAgainAndAgain() {
        var bench = Bench()
        bench.random = 0.999_999
        bench.put(.start)
        while bench.time < .seconds(60) {
            switch bench.machine.phase {
            case .connecting:
                bench.put(.handshakeRefused(generation: bench.generation, status: 401, retryAfter: nil))
            case .refreshing: bench.put(.tokenRefreshed)
            default: bench.pass(.milliseconds(100))
            }
        }
        // At 0 (twice: with the old token and the fresh one), then 1, 2, 4, 8, 16 and 30 s later each.
        #expect(bench.connects.count == 7)
        #expect(bench.refreshes == 6)
        #expect(bench.logOuts == 0)
    }

    @Test("Only a refused refresh signs out; outages of the refresh wait and try again")
    func signsOut() {
        var bench = Bench.online()
        bench.drop(.signedOut)
        bench.put(.refreshFailed(reason: "503", retryAfter: nil))
        #expect(bench.machine.phase == .waiting(isHeld: false))
        bench.pass(.seconds(1))
        #expect(bench.refreshes == 2)
        bench.pass(ConnectionMachine.refreshTimeout)
        #expect(bench.logOuts == 0)
        bench.pass(.seconds(2))
        #expect(bench.refreshes == 3)
        bench.put(.refreshRefused)
        #expect(bench.logOuts == 1)
        #expect(bench.machine.phase == .signedOut)
        #expect(bench.timers.isEmpty)
        bench.pass(.seconds(600))
        #expect(bench.connects.count == 1)
        bench.put(.start)
        #expect(bench.connects.count == 2)
    }

    @Test(
        "Retry-After is obeyed, and an absurd one capped at five minutes",
        arguments: [(7, 7), (300, 300), (86_400, 300)])
    func retryAfter(asked: Int, waited: Int) {
        var bench = Bench()
        bench.put(.start, .handshakeRefused(generation: 1, status: 503, retryAfter: .seconds(asked)))
        // Neither a new path nor the foreground shortens what the server asked for.
        bench.put(.networkChanged(isAvailable: true), .networkChanged(isAvailable: true), .foreground)
        bench.pass(.seconds(waited) - .milliseconds(1))
        #expect(bench.connects.count == 1)
        bench.pass(.seconds(2))
        #expect(bench.connects.count == 2)
    }

    @Test("While the server speaks HTTP but refuses sockets, what is queued goes by REST")
    func restRoute() {
        var bench = Bench()
        bench.put(.start, .handshakeRefused(generation: 1, status: 403, retryAfter: nil))
        #expect(bench.machine.route == .rest)
        bench.pass(.seconds(1))
        #expect(bench.machine.route == .rest)
        bench.put(.socketOpened(generation: bench.generation))
        #expect(bench.machine.route == .none)
        bench.put(.ready(generation: bench.generation))
        #expect(bench.machine.route == .socket(generation: bench.generation))
        bench.drop()
        #expect(bench.machine.route == .none)
    }

    @Test("Overload and lost networks are no refusal of sockets")
    func noRestRoute() {
        for status in [429, 503] {
            var bench = Bench()
            bench.put(.start, .handshakeRefused(generation: 1, status: status, retryAfter: nil))
            #expect(bench.machine.route == .none)
        }
        var bench = Bench()
        bench.put(.start, .connectFailed(generation: 1, reason: "unreachable"))
        #expect(bench.machine.route == .none)
    }

    @Test("In the background the socket closes after a grace, and opens at once in the foreground")
    func background() {
        var bench = Bench.online()
        bench.put(.background)
        bench.pass(.seconds(4))
        #expect(bench.machine.phase == .online)
        bench.pass(.seconds(1))
        #expect(bench.machine.phase == .stopped)
        #expect(bench.open.isEmpty)
        #expect(bench.timers.isEmpty)
        bench.pass(.seconds(3600))
        #expect(bench.connects.count == 1)
        bench.put(.foreground)
        #expect(bench.connects.count == 2)
    }

    @Test("A short look at another app does not close the socket")
    func shortBackground() {
        var bench = Bench.online()
        bench.put(.background)
        bench.pass(.seconds(3))
        bench.put(.foreground)
        #expect(bench.machine.awaitsPong)
        bench.put(.heard(generation: bench.generation))
        bench.pass(.seconds(20))
        #expect(bench.machine.phase == .online)
        #expect(bench.connects.count == 1)
    }

    @Test("Stop ends everything, whatever the phase")
    func stops() {
        for phase in 0..<5 {
            var bench = Bench()
            bench.put(.start)
            if phase >= 1 { bench.put(.socketOpened(generation: 1)) }
            if phase >= 2 { bench.put(.ready(generation: 1)) }
            if phase == 3 { bench.drop() }
            if phase == 4 { bench.drop(.tokenExpired) }
            bench.put(.stop)
            #expect(bench.machine.phase == .stopped)
            #expect(bench.open.isEmpty)
            #expect(bench.timers.isEmpty)
            bench.put(.tokenRefreshed)
            bench.pass(.seconds(600))
            #expect(bench.connects.count == 1)
        }
    }

    // Field case 56
    @Test("A new path under an open connection is probed at once, and given up after two seconds of silence")
    func pathChange() {
        var bench = Bench.online()
        bench.put(.networkChanged(isAvailable: true), .networkChanged(isAvailable: true))
        #expect(bench.pings == 1)
        let old = bench.generation
        bench.pass(.seconds(2))
        bench.pass(.seconds(1))
        #expect(bench.connects.count == 2)
        #expect(bench.time <= .seconds(5))
        // What the old socket still says changes nothing.
        bench.put(
            .ready(generation: old), .heard(generation: old),
            .socketClosed(generation: old, code: CloseCode.signedOut.rawValue, reason: "late"))
        #expect(bench.machine.phase == .connecting)
        #expect(bench.refreshes == 0)
        bench.goOnline()
        #expect(bench.open == [bench.generation])
        #expect(bench.syncs == [old, bench.generation])
    }

    @Test("A path that comes back starts an attempt without waiting for the timer")
    func networkBack() {
        var bench = Bench()
        bench.random = 0.999
        bench.put(.networkChanged(isAvailable: false), .start)
        for _ in 0..<6 {
            bench.put(.connectFailed(generation: bench.generation, reason: "unreachable"))
            bench.pass(.seconds(30))
        }
        bench.put(.connectFailed(generation: bench.generation, reason: "unreachable"))
        #expect(
            bench.published.last.map { if case .offline(.noNetwork, _) = $0 { true } else { false } } == true)
        let attempts = bench.connects.count
        bench.put(.networkChanged(isAvailable: true))
        #expect(bench.connects.count == attempts + 1)
        #expect(bench.timers[.retry] == nil)
    }

    // Field case 57
    @Test("Foreground, network and a retry at the same moment make one socket")
    func oneSocket() {
        var bench = Bench()
        bench.put(.networkChanged(isAvailable: true), .start)
        bench.put(.connectFailed(generation: 1, reason: "unreachable"))
        bench.put(.foreground, .networkChanged(isAvailable: true), .foreground, .timerFired(.retry), .start)
        #expect(bench.connects.count == 2)
        bench.goOnline()
        #expect(bench.open.count == 1)
        #expect(bench.syncs.count == 1)
    }

    // Field case 57
    @Test("A socket that opens after its attempt was given up is closed, and its session ignored")
    func lateSocket() {
        var bench = Bench()
        bench.put(.start)
        bench.pass(ConnectionMachine.handshakeTimeout)
        bench.pass(.seconds(1))
        #expect(bench.generation == 2)
        bench.put(.socketOpened(generation: 1), .ready(generation: 1))
        #expect(bench.open.isEmpty)
        #expect(bench.syncs.isEmpty)
        bench.goOnline()
        #expect(bench.syncs == [2])
    }

    @Test("A flapping network makes no loop of attempts")
    func flapping() {
        var bench = Bench()
        bench.put(.networkChanged(isAvailable: true), .start)
        for _ in 0..<100 {
            bench.put(.networkChanged(isAvailable: false), .networkChanged(isAvailable: true))
            bench.pass(.milliseconds(10))
        }
        #expect(bench.connects.count == 1)
    }
}

// Field case 53
@Suite("The socket drops in any state")
struct DropTests {
    enum Moment: CaseIterable {
        case handshake, beforeReady, syncing, online, pingOutstanding, foreground, retryArmed, refreshing
    }

    @Test("It always ends connected once the network is back", arguments: Moment.allCases)
    func drops(moment: Moment) {
        var bench = Bench()
        bench.put(.start)
        if moment != .handshake { bench.put(.socketOpened(generation: bench.generation)) }
        if moment != .handshake && moment != .beforeReady { bench.put(.ready(generation: bench.generation)) }
        switch moment {
        case .handshake, .beforeReady, .syncing: break
        case .online: bench.put(.synced(generation: bench.generation))
        case .pingOutstanding: bench.pass(.seconds(26))
        case .foreground: bench.put(.background, .foreground)
        case .retryArmed: bench.drop()
        case .refreshing: bench.drop(.tokenExpired)
        }
        bench.drop()
        #expect(bench.progressTimers == 1, "\(bench.machine.phase), \(bench.timers)")
        bench.pass(ConnectionMachine.refreshTimeout + .seconds(1))
        bench.answerEverything(for: .seconds(35))
        #expect(bench.machine.phase == .online)
        #expect(bench.open == [bench.generation])
    }

    @Test("Whatever comes in whatever order: never two timers for the same, never none", arguments: 0..<400)
    func random(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var bench = Bench()
        bench.put(.start)
        for step in 0..<120 {
            bench.random = Double.random(in: 0..<1, using: &random)
            let generation = bench.generation - (Int.random(in: 0..<4, using: &random) == 0 ? 1 : 0)
            switch Int.random(in: 0..<16, using: &random) {
            case 0: bench.put(.socketOpened(generation: generation))
            case 1: bench.put(.ready(generation: generation))
            case 2: bench.put(.synced(generation: generation))
            case 3: bench.put(.heard(generation: generation))
            case 4:
                let code = CloseCode.allCases.randomElement(using: &random)
                bench.open.remove(generation)
                bench.put(.socketClosed(generation: generation, code: code?.rawValue, reason: "random"))
            case 5:
                let status = [401, 403, 429, 500, 503].randomElement(using: &random) ?? 500
                bench.put(.handshakeRefused(generation: generation, status: status, retryAfter: .seconds(3)))
            case 6: bench.put(.connectFailed(generation: generation, reason: "random"))
            case 7: bench.put(.tokenRefreshed)
            case 8: bench.put(.refreshFailed(reason: "random", retryAfter: nil))
            case 9: bench.put(.networkChanged(isAvailable: Bool.random(using: &random)))
            case 10: bench.put(.foreground)
            case 11: bench.put(.background)
            case 12:
                if let timer = bench.timers.keys.sorted(by: { $0.rawValue < $1.rawValue }).first {
                    bench.fire(timer)
                }
            case 13: bench.put(.start)
            default: bench.pass(.milliseconds(Int.random(in: 0..<9000, using: &random)))
            }
            #expect(bench.open.count <= 1, "seed \(seed), step \(step)")
            #expect(bench.progressTimers <= 1, "seed \(seed), step \(step): \(bench.timers)")
            if bench.machine.phase != .stopped {
                #expect(bench.progressTimers == 1, "seed \(seed), step \(step): \(bench.machine.phase)")
            }
        }
        bench.put(.foreground)
        bench.answerEverything(for: .seconds(400))
        #expect(bench.machine.phase == .online, "seed \(seed)")
    }
}

extension Bench {
    /// Timers that lead on by themselves: exactly one in every phase that is not at rest.
    fileprivate var progressTimers: Int {
        [Timer.retry, .handshake, .ready, .ping, .pong, .refresh].count { timers[$0] != nil }
    }

    fileprivate mutating func fire(_ timer: Timer) {
        guard let due = timers.removeValue(forKey: timer) else { return }
        time = max(time, due)
        put(.timerFired(timer))
    }

    /// A network and a server that are well.
    fileprivate mutating func answerEverything(for duration: Duration) {
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

// Field case 54
@Suite("5,000 clients lose their socket at once")
struct HerdTests {
    /// When each client's attempt comes, in milliseconds.
    private func attempts(round: Int, code: CloseCode?, status: Int?, retryAfter: Duration?) -> [Int64] {
        var random = SeededRandom(seed: UInt64(round))
        return (0..<5000).map { _ in
            var bench = Bench.online()
            bench.random = Double.random(in: 0..<1, using: &random)
            bench.drop(code)
            for _ in 0..<round {
                _ = bench.passToAttempt()
                bench.random = Double.random(in: 0..<1, using: &random)
                if let status {
                    bench.put(
                        .handshakeRefused(
                            generation: bench.generation, status: status, retryAfter: retryAfter))
                } else {
                    bench.put(.connectFailed(generation: bench.generation, reason: "refused"))
                }
            }
            let wait = (bench.timers[.retry] ?? .zero) - bench.time
            return wait.components.seconds * 1000 + wait.components.attoseconds / 1_000_000_000_000_000
        }
    }

    private func largestBucket(_ attempts: [Int64]) -> Double {
        let buckets = Dictionary(grouping: attempts) { $0 / 100 }
        return Double(buckets.values.map(\.count).max() ?? 0) / Double(attempts.count)
    }

    @Test("After a restart no 100 ms see more than a few in a hundred of them", arguments: 0...5)
    func restart(round: Int) {
        let attempts = attempts(round: round, code: .restarting, status: nil, retryAfter: nil)
        #expect(largestBucket(attempts) < 0.04)
        #expect(attempts.allSatisfy { $0 <= 30_000 })
    }

    @Test("A server that sheds load with Retry-After is obeyed, and they do not all come at that second")
    func shedding() {
        let attempts = attempts(round: 3, code: .restarting, status: 503, retryAfter: .seconds(10))
        #expect(attempts.allSatisfy { $0 >= 10_000 })
        #expect(largestBucket(attempts) < 0.04)
    }
}

@Suite("Back-off")
struct BackoffTests {
    @Test("The windows are 1, 2, 4, 8, 16 and 30 s")
    func windows() {
        let seconds = (1...9).map { Backoff.window(failures: $0).components.seconds }
        #expect(seconds == [1, 2, 4, 8, 16, 30, 30, 30, 30])
        #expect(Backoff.window(failures: 0) == .seconds(1))
        #expect(Backoff.window(failures: .max) == .seconds(30))
    }

    @Test("The jitter is full: from nothing to the whole window")
    func jitter() {
        #expect(Backoff.delay(failures: 5, random: 0) == .zero)
        #expect(Backoff.delay(failures: 5, random: 0.5) == .seconds(8))
    }
}
