import Testing

@testable import WebSockets

@Suite("Noticing that a peer is gone")
struct LivenessTests {
    private let start = ContinuousClock.now

    private func at(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }

    private func watch() -> Liveness { Liveness(idlePing: .seconds(30), idleClose: .seconds(75), now: start) }

    @Test("A silent peer is pinged once, then given up")
    func silence() {
        var peer = watch()
        #expect(peer.look(at(0)) == .fine(until: at(30)))
        #expect(peer.look(at(29)) == .fine(until: at(30)))
        #expect(peer.look(at(30)) == .ping(until: at(75)))
        #expect(peer.look(at(40)) == .fine(until: at(75)))
        #expect(peer.look(at(74)) == .fine(until: at(75)))
        #expect(peer.look(at(75)) == .dead)
    }

    @Test("Any sign of life starts the time anew, and the next silence is pinged again")
    func signs() {
        var peer = watch()
        #expect(peer.look(at(31)) == .ping(until: at(75)))
        peer.sign(at(32))
        #expect(peer.look(at(61)) == .fine(until: at(62)))
        #expect(peer.look(at(62)) == .ping(until: at(107)))
        peer.sign(at(70))
        #expect(peer.look(at(75)) == .fine(until: at(100)))
    }

    @Test("A close time below the ping time needs no ping")
    func short() {
        var peer = Liveness(idlePing: .seconds(30), idleClose: .seconds(10), now: start)
        #expect(peer.look(at(5)) == .fine(until: at(10)))
        #expect(peer.look(at(10)) == .dead)
    }
}
