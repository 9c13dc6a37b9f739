import ChatterTestSupport
import Testing

@Suite("The clock of the tests")
struct ServerTestClockTests {
    /// Repeats itself every five seconds and notes when it ran.
    private final class Ticker: Sendable {
        let clock = ServerTestClock()
        let times = Locked<[Duration]>([])

        func start() {
            _ = clock.schedule(after: .seconds(5)) { [self] in
                let now = clock.uptime
                times.change { $0.append(now) }
                start()
            }
        }
    }

    @Test("Advancing runs repeated work at each of its times")
    func advance() {
        let ticker = Ticker()
        ticker.start()
        ticker.clock.advance(by: .seconds(17))
        #expect(ticker.times.value == [.seconds(5), .seconds(10), .seconds(15)])
        #expect(ticker.clock.uptime == .seconds(17))
    }

    @Test("Jumping runs what is due once, in order, at the end")
    func jump() {
        let ticker = Ticker()
        let order = Locked<[String]>([])
        for (name, delay) in [("late", 9), ("early", 1), ("not yet", 30)] {
            _ = ticker.clock.schedule(after: .seconds(delay)) { order.change { $0.append(name) } }
        }
        ticker.start()
        ticker.clock.jump(by: .seconds(17))
        #expect(ticker.times.value == [.seconds(17)])
        #expect(order.value == ["early", "late"])
        ticker.clock.advance(by: .seconds(5))
        #expect(ticker.times.value == [.seconds(17), .seconds(22)])
    }
}
