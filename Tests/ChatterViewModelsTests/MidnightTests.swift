import ChatterTestSupport
import Testing

@testable import ChatterViewModels

@Suite("Midnight", .timeLimit(.minutes(1)))
@MainActor
struct MidnightTests {
    @Test("However many chats are opened and closed, one timer waits for it")
    func oneTimer() async {
        let clock = ManualClock()
        let midnight = Midnight(words(clock))
        let window = Task.immediate { await midnight.wait() }
        for _ in 0..<10 {
            let chat = Task.immediate { await midnight.wait() }
            await clock.sleepers(atLeast: 1)
            chat.cancel()
            await chat.value
        }
        #expect(clock.sleeperTotal == 1)
        await clock.advanceToNextSleeper()
        await window.value
        #expect(clock.sleeperCount == 0)
    }

    @Test("A clock that was set wakes all who wait; who is the last to leave calls the timer off")
    func leaving() async {
        let clock = ManualClock()
        let midnight = Midnight(words(clock))
        let waiting = (0..<3).map { _ in Task.immediate { await midnight.wait() } }
        await clock.sleepers(atLeast: 1)
        midnight.clockChanged()
        for task in waiting { await task.value }
        let last = Task.immediate { await midnight.wait() }
        await clock.sleepers(atLeast: 1)
        last.cancel()
        await last.value
        #expect(clock.sleeperCount == 0)
    }
}
