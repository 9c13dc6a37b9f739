import Testing

@testable import ChatterClient

@Suite("Whether there is a network", .timeLimit(.minutes(5)))
struct NetlinkReachabilityTests {
    @Test("The state is told at once, to each listener")
    func firstState() async {
        let reachability = NetlinkReachability()
        var states: [Bool] = []
        for _ in 0..<2 {
            for await state in reachability.changes() {
                states.append(state)
                break
            }
        }
        #expect(states.count == 2)
        #expect(states[0] == states[1])
    }
}
