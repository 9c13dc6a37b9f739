import ChatterModel
import Testing

@testable import ChatterClient

@Suite("Connecting")
struct ConnectionMachineTests {
    @Test("From start to online")
    func comesUp() {
        var bench = ConnectionBench()
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
        var bench = ConnectionBench.online()
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
        var bench = ConnectionBench()
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
        var bench = ConnectionBench()
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
        var bench = ConnectionBench.online()
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
        var bench = ConnectionBench()
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
        var bench = ConnectionBench.online()
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
        var bench = ConnectionBench()
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
        var bench = ConnectionBench()
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
            var bench = ConnectionBench()
            bench.put(.start, .handshakeRefused(generation: 1, status: status, retryAfter: nil))
            #expect(bench.machine.route == .none)
        }
        var bench = ConnectionBench()
        bench.put(.start, .connectFailed(generation: 1, reason: "unreachable"))
        #expect(bench.machine.route == .none)
    }

    // The server closes with 4012 when it stops. Proxies say 1012 and 1013: about themselves, so one failure like any.
    @Test(
        "A close code that is no contract's is a failure like a lost connection; the server's restart spreads out",
        arguments: [(1012, 500), (1013, 500), (1006, 500), (4999, 500), (4012, 2000)])
    func closeCodes(code: UInt16, wait: Int) {
        var bench = ConnectionBench.online()
        bench.open.remove(bench.generation)
        bench.put(.socketClosed(generation: bench.generation, code: code, reason: "test"))
        #expect(bench.refreshes == 0 && bench.machine.route == .none)
        #expect(bench.timers[.retry] == .milliseconds(wait))
        #expect(bench.passToAttempt() == .milliseconds(wait))
        bench.goOnline()
        #expect(bench.published.last == .online)
    }
}
