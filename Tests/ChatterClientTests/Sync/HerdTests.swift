import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterClient

// Field case 54
@Suite("5,000 clients lose their socket at once")
struct HerdTests {
    /// When each client's attempt comes, in milliseconds.
    private func attempts(round: Int, code: CloseCode?, status: Int?, retryAfter: Duration?) -> [Int64] {
        var random = SeededRandom(seed: UInt64(round))
        return (0..<5000).map { _ in
            var bench = ConnectionBench.online()
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
