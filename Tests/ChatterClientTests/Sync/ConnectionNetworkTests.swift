import ChatterModel
import Testing

@testable import ChatterClient

@Suite("Connecting while network and foreground change")
struct ConnectionNetworkTests {
    @Test("In the background the socket closes after a grace, and opens at once in the foreground")
    func background() {
        var bench = ConnectionBench.online()
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
        var bench = ConnectionBench.online()
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
            var bench = ConnectionBench()
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
        var bench = ConnectionBench.online()
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
        var bench = ConnectionBench()
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
        var bench = ConnectionBench()
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
        var bench = ConnectionBench()
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
        var bench = ConnectionBench()
        bench.put(.networkChanged(isAvailable: true), .start)
        for _ in 0..<100 {
            bench.put(.networkChanged(isAvailable: false), .networkChanged(isAvailable: true))
            bench.pass(.milliseconds(10))
        }
        #expect(bench.connects.count == 1)
    }
}
