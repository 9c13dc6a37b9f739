import ChatterModel
import Testing

@testable import ChatterClient

@Suite("History that was never loaded")
struct HistoryTests {
    private func page(
        before: Int64?, lowest: Int64?, hasMore: Bool, last: Int64 = 100, limit: Int64 = 20
    ) -> SyncMachine.HistoryPage {
        SyncMachine.HistoryPage(
            before: before, limit: limit, lowest: lowest, hasMore: hasMore, lastSeq: last, lastChange: last)
    }

    @Test("A conversation met for the first time is up to date and has nothing loaded")
    func adopted() {
        let machine = SyncMachine.adopting(lastSeq: 100, lastChange: 140)
        #expect(machine.held == SyncRequest.Held(seq: 100, change: 140))
        #expect(machine.need(delivered: 100, unreadBelow: 0) == .nothing)
        #expect(machine.floor == 101)
    }

    @Test("The newest message alone makes the first loaded piece")
    func newestMessage() {
        var machine = SyncMachine.adopting(lastSeq: 100, lastChange: 140)
        machine.received(seq: 100, change: 131)
        #expect(machine.floor == 100)
        #expect(machine.synced == 140)
    }

    @Test("Pages lower the floor to their oldest message, and the last one to the beginning")
    func pages() {
        var machine = SyncMachine.adopting(lastSeq: 100, lastChange: 100)
        machine.loaded(page(before: nil, lowest: 81, hasMore: true))
        #expect(machine.floor == 81)
        machine.loaded(page(before: 81, lowest: 61, hasMore: true))
        #expect(machine.floor == 61)
        machine.loaded(page(before: 61, lowest: 3, hasMore: false))
        #expect(machine.floor == 1)
    }

    @Test("A page that does not touch what is loaded moves nothing")
    func detached() {
        var machine = SyncMachine.adopting(lastSeq: 100, lastChange: 100)
        machine.loaded(page(before: nil, lowest: 81, hasMore: true))
        machine.loaded(page(before: 50, lowest: 30, hasMore: true))
        #expect(machine.floor == 81)
    }

    // Field case 31
    @Test("Empty pages that promise more are paged through to the beginning, in finitely many steps")
    func emptyPages() {
        var machine = SyncMachine.adopting(lastSeq: 100, lastChange: 100)
        var steps = 0
        while machine.floor > 1 {
            let before = machine.floor
            machine.loaded(page(before: before, lowest: nil, hasMore: true))
            #expect(machine.floor < before)
            steps += 1
            if steps > 10 { break }
        }
        #expect(steps == 5)
    }

    @Test("The newest page above an old piece leaves a hole between them")
    func newestAboveOld() {
        var machine = SyncMachine(floor: 1, top: 10, synced: 10, lastSeq: 10, lastChange: 10)
        for seq in Int64(81)...100 { machine.received(seq: seq, change: seq) }
        machine.loaded(page(before: nil, lowest: 81, hasMore: true))
        #expect(machine.holes == [SeqRange(from: 11, to: 80)])
        #expect(machine.floor == 1)
        #expect(machine.contiguous == 10)
    }

    @Test("Undelivered messages below the floor are fetched, and not reported before they are here")
    func undelivered() {
        var machine = SyncMachine.adopting(lastSeq: 100, lastChange: 100)
        machine.received(seq: 100, change: 100)
        #expect(machine.need(delivered: 90, unreadBelow: 9) == .history(before: 100))
        #expect(machine.deliverable(delivered: 90, unreadBelow: 9) == nil)
        machine.loaded(page(before: 100, lowest: 85, hasMore: true))
        #expect(machine.need(delivered: 90, unreadBelow: 0) == .nothing)
        #expect(machine.deliverable(delivered: 90, unreadBelow: 0) == 100)
    }

    // Field case 24
    @Test("Delivered is said of the contiguous range only")
    func delivered() {
        var machine = SyncMachine(floor: 1, top: 10, synced: 10, lastSeq: 10, lastChange: 10)
        machine.received(seq: 11, change: 11)
        machine.received(seq: 50, change: 50)
        #expect(machine.deliverable(delivered: 10, unreadBelow: 0) == 11)
        #expect(machine.deliverable(delivered: 11, unreadBelow: 0) == nil)
    }

    @Test("After a loss the floor stands above the newest lost message")
    func lost() {
        let machine = SyncMachine(
            floor: 1, top: 20, synced: 20, lastSeq: 20, lastChange: 20,
            holes: [SeqRange(from: 16, to: 17)])
        #expect(machine.newestLost(present: [20, 19, 18, 15, 14, 11, 10]) == 13)
        let lifted = machine.liftingFloor(to: 14)
        #expect(lifted.floor == 14)
        #expect(lifted.holes == [SeqRange(from: 16, to: 17)])
        #expect(machine.newestLost(present: Array((1...20).reversed())) == nil)
    }
}
