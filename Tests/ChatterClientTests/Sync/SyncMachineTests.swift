import ChatterModel
import Testing

@testable import ChatterClient

@Suite("What is held and what is missing")
struct SyncMachineTests {
    /// Holds 1...`top` completely.
    private func holding(_ top: Int64) -> SyncMachine {
        SyncMachine(floor: 1, top: top, synced: top, lastSeq: top, lastChange: top)
    }

    @Test("Messages in their order leave nothing to fetch")
    func inOrder() {
        var machine = holding(0)
        for seq in Int64(1)...5 { machine.received(seq: seq, change: seq) }
        #expect(machine.contiguous == 5)
        #expect(machine.holes.isEmpty)
        #expect(machine.need(delivered: 0, unreadBelow: 0) == .nothing)
        #expect(machine.held == SyncRequest.Held(seq: 5, change: 5))
    }

    // Field case 26
    @Test("A message above a gap makes a hole, and the changes above what is applied are wanted")
    func gap() {
        var machine = holding(4)
        machine.received(seq: 7, change: 7)
        #expect(machine.holes == [SeqRange(from: 5, to: 6)])
        #expect(machine.contiguous == 4)
        #expect(machine.need(delivered: 4, unreadBelow: 0) == .changes(after: 4))
    }

    // Field case 28
    @Test("A live message above the gap does not move what the sync asks for")
    func heldIsContiguous() {
        var machine = holding(80)
        machine.received(seq: 120, change: 120)
        #expect(machine.held == SyncRequest.Held(seq: 80, change: 80))
    }

    @Test("The gap fills in any order")
    func fills() {
        for order in [[5, 6, 7], [7, 6, 5], [6, 7, 5], [6, 5, 7]] as [[Int64]] {
            var machine = holding(4)
            machine.received(seq: 8, change: 8)
            for seq in order { machine.received(seq: seq, change: seq) }
            #expect(machine.holes.isEmpty)
            #expect(machine.contiguous == 8)
        }
    }

    @Test("A hole splits around a message in its middle")
    func splits() {
        var machine = holding(1)
        machine.received(seq: 10, change: 10)
        machine.received(seq: 5, change: 5)
        #expect(machine.holes == [SeqRange(from: 2, to: 4), SeqRange(from: 6, to: 9)])
        #expect(machine.contiguous == 1)
    }

    @Test("A change above a missing one is not taken as applied")
    func changeGap() {
        var machine = holding(3)
        machine.received(seq: 2, change: 5)
        #expect(machine.synced == 3)
        #expect(machine.need(delivered: 3, unreadBelow: 0) == .changes(after: 3))
        machine.received(seq: 1, change: 4)
        #expect(machine.synced == 4)
    }

    @Test("The last page confirms that what is still missing is not to be had")
    func confirmsEmpty() {
        var machine = holding(4)
        machine.received(seq: 9, change: 9)
        machine.received(seq: 6, change: 6)
        machine.caughtUp(asked: 4, reached: 9, hasMore: false, lastSeq: 9, lastChange: 9)
        #expect(machine.holes.isEmpty)
        #expect(machine.contiguous == 9)
        #expect(machine.synced == 9)
        #expect(machine.need(delivered: 4, unreadBelow: 0) == .nothing)
    }

    @Test("Messages at the end that are not to be had are confirmed too")
    func confirmsEnd() {
        var machine = holding(4)
        machine.announced(lastSeq: 6, lastChange: 6)
        #expect(machine.need(delivered: 4, unreadBelow: 0) == .changes(after: 4))
        machine.caughtUp(asked: 4, reached: 6, hasMore: false, lastSeq: 6, lastChange: 6)
        #expect(machine.contiguous == 6)
        #expect(machine.need(delivered: 6, unreadBelow: 0) == .nothing)
    }

    @Test("A page with more behind it moves only as far as it reaches")
    func partialPage() {
        var machine = holding(10)
        machine.announced(lastSeq: 40, lastChange: 40)
        for seq in Int64(11)...20 { machine.received(seq: seq, change: seq) }
        machine.caughtUp(asked: 10, reached: 20, hasMore: true, lastSeq: 40, lastChange: 40)
        #expect(machine.contiguous == 20)
        #expect(machine.need(delivered: 10, unreadBelow: 0) == .changes(after: 20))
    }

    @Test("A page that was asked for above what is applied claims nothing")
    func staleQuestion() {
        var machine = holding(4)
        machine.caughtUp(asked: 7, reached: 9, hasMore: false, lastSeq: 9, lastChange: 9)
        #expect(machine.synced == 4)
        #expect(machine.contiguous == 4)
        #expect(machine.need(delivered: 4, unreadBelow: 0) == .changes(after: 4))
    }

    @Test("A late page does not undo what came live meanwhile")
    func latePage() {
        var machine = holding(4)
        for seq in Int64(5)...9 { machine.received(seq: seq, change: seq) }
        machine.caughtUp(asked: 4, reached: 6, hasMore: false, lastSeq: 6, lastChange: 6)
        #expect(machine.synced == 9)
        #expect(machine.contiguous == 9)
    }
}
