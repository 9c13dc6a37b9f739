import ChatterModel
import Testing

@testable import ChatterClient

@Suite("A standing connection's token")
struct TokenRenewalTests {
    private typealias Machine = ConnectionMachine

    private var machine = Machine()
    private var moment = Machine.Moment(now: Samples.noon, random: 0.5)

    /// Online, with a token that holds for an hour.
    private static func online() -> TokenRenewalTests {
        var test = TokenRenewalTests()
        _ = test.put(.start)
        _ = test.put(.socketOpened(generation: 1))
        _ = test.put(.ready(generation: 1))
        _ = test.put(.synced(generation: 1))
        return test
    }

    private mutating func put(_ input: Machine.Input) -> [Machine.Action] {
        machine.handle(input, at: moment)
    }

    @Test(
        "It is renewed in its last minute, spread over a quarter of it, and the socket stays",
        arguments: [0, 0.5, 0.99])
    func inTime(random: Double) {
        var test = Self.online()
        test.moment.random = random
        guard case .arm(.renewal, let wait)? = test.put(.tokenHolds(.seconds(3600))).first else {
            Issue.record("no timer")
            return
        }
        #expect(wait >= .seconds(3540) && wait < .seconds(3555))
        let refresh = test.put(.timerFired(.renewal))
        #expect(refresh == [.arm(.renewal, after: Machine.refreshTimeout), .refreshToken])
        #expect(test.put(.tokenRefreshed).isEmpty)
        #expect(test.put(.tokenHolds(.seconds(3600))) == [.arm(.renewal, after: wait)])
        #expect(test.machine.phase == .online && test.machine.generation == 1)
    }

    @Test("An outage is waited out at a growing distance, and leaves the socket alone")
    func outage() {
        var test = Self.online()
        _ = test.put(.tokenHolds(.seconds(3600)))
        for wait in [0.5, 1, 2, 4] {
            _ = test.put(.timerFired(.renewal))
            let actions = test.put(.refreshFailed(reason: "no network", retryAfter: nil))
            #expect(actions == [.arm(.renewal, after: .seconds(wait))])
        }
        _ = test.put(.timerFired(.renewal))
        let asked = test.put(.refreshFailed(reason: "overload", retryAfter: .seconds(20)))
        #expect(asked == [.arm(.renewal, after: .seconds(28))])
        // Nothing comes back at all.
        _ = test.put(.timerFired(.renewal))
        #expect(test.put(.timerFired(.renewal)) == [.arm(.renewal, after: .seconds(15))])
        #expect(test.machine.phase == .online)
        // The next one that succeeds starts over.
        _ = test.put(.timerFired(.renewal))
        _ = test.put(.tokenRefreshed)
        _ = test.put(.tokenHolds(.seconds(3600)))
        _ = test.put(.timerFired(.renewal))
        #expect(
            test.put(.refreshFailed(reason: "no network", retryAfter: nil))
                == [.arm(.renewal, after: .milliseconds(500))])
    }

    @Test("A refusal signs out like any")
    func refusal() {
        var test = Self.online()
        _ = test.put(.tokenHolds(.seconds(3600)))
        _ = test.put(.timerFired(.renewal))
        let actions = test.put(.refreshRefused)
        #expect(actions.contains(.logOut) && actions.contains(.close(generation: 1)))
        #expect(test.machine.phase == .signedOut)
    }

    @Test("A connection that ends takes the timer with it; an answer that comes later changes nothing")
    func connectionEnds() {
        var test = Self.online()
        _ = test.put(.tokenHolds(.seconds(3600)))
        _ = test.put(.timerFired(.renewal))
        let actions = test.put(.socketClosed(generation: 1, code: nil, reason: "lost"))
        #expect(actions.contains(.disarm(.renewal)))
        for input in [
            Machine.Input.tokenRefreshed, .tokenHolds(.seconds(3600)), .timerFired(.renewal),
            .refreshFailed(reason: "late", retryAfter: nil),
        ] { #expect(test.put(input).isEmpty) }
        #expect(test.machine.phase == .waiting(isHeld: false))
    }

    @Test("Tokens that hardly live make no loop", arguments: [0, 1, 6, 20])
    func shortLives(seconds: Int) {
        var renewal = TokenRenewal()
        let wait = renewal.wait(life: .seconds(seconds), random: 0)
        #expect(wait == max(.seconds(5), .seconds(seconds) / 2))
    }
}
