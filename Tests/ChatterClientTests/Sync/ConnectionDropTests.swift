import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterClient

// Field case 53
@Suite("The socket drops in any state")
struct ConnectionDropTests {
    enum Moment: CaseIterable {
        case handshake, beforeReady, syncing, online, pingOutstanding, foreground, retryArmed, refreshing
    }

    @Test("It always ends connected once the network is back", arguments: Moment.allCases)
    func drops(moment: Moment) {
        var bench = ConnectionBench()
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
        var bench = ConnectionBench()
        bench.put(.start)
        for step in 0..<120 {
            bench.randomStep(&random)
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

extension ConnectionBench {
    /// Something that a network, a server or a person may do, of this connection or the one before.
    fileprivate mutating func randomStep(_ source: inout SeededRandom) {
        random = Double.random(in: 0..<1, using: &source)
        let generation = generation - (Int.random(in: 0..<4, using: &source) == 0 ? 1 : 0)
        switch Int.random(in: 0..<16, using: &source) {
        case 0: put(.socketOpened(generation: generation))
        case 1: put(.ready(generation: generation))
        case 2: put(.synced(generation: generation))
        case 3: put(.heard(generation: generation))
        case 4:
            let code = CloseCode.allCases.randomElement(using: &source)
            open.remove(generation)
            put(.socketClosed(generation: generation, code: code?.rawValue, reason: "random"))
        case 5:
            let status = [401, 403, 429, 500, 503].randomElement(using: &source) ?? 500
            put(.handshakeRefused(generation: generation, status: status, retryAfter: .seconds(3)))
        case 6: put(.connectFailed(generation: generation, reason: "random"))
        case 7: put(.tokenRefreshed)
        case 8: put(.refreshFailed(reason: "random", retryAfter: nil))
        case 9: put(.networkChanged(isAvailable: Bool.random(using: &source)))
        case 10: put(.foreground)
        case 11: put(.background)
        case 12:
            if let timer = timers.keys.sorted(by: { $0.rawValue < $1.rawValue }).first {
                fire(timer)
            }
        case 13: put(.start)
        case 14: put(.tokenHolds(.seconds(Int.random(in: 0..<90, using: &source))))
        default: pass(.milliseconds(Int.random(in: 0..<9000, using: &source)))
        }
    }
}
