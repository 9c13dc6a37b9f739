import ChatterModel
import ChatterTestSupport
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

/// One client's numbers and rows against the model of a server, over a network that drops, delays and repeats.
private struct Walk {
    var server = ServerModel()
    var machine = SyncMachine(floor: 1, top: 0, synced: 0, lastSeq: 0, lastChange: 0)
    /// What is stored: seq → the change it is at.
    var rows: [Int64: Int64] = [:]
    var live: [Message] = []
    var answers: [(range: MessageRange, page: MessagePage)] = []
    var random: SeededRandom
    var ownSends: Int64 = 0
    let chat = Samples.chat

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func step() {
        switch Int.random(in: 0..<12, using: &random) {
        case 0...2: live.append(server.receive(in: chat))
        case 3:
            ownSends += 1
            let ack = server.send(Samples.draft(ownSends))
            // Acknowledged, perhaps before events that are still on their way.
            if Bool.random(using: &random) { take(seq: ack.seq, change: ack.change) }
        case 4:
            if let seq = server[chat].messages.randomElement(using: &random)?.seq,
                let message = server.delete(seq, in: chat)
            {
                live.append(message)
            }
        case 5: server.skip(in: chat)
        case 6...7:
            if !live.isEmpty {
                let message = live.removeFirst()
                take(seq: message.seq, change: message.change)
                // At least once means: sometimes twice.
                if Int.random(in: 0..<4, using: &random) == 0 { live.insert(message, at: 0) }
            }
        case 8: live = []
        case 9: ask(.afterChange(machine.synced))
        case 10: ask(machine.floor > 1 ? .before(seq: machine.floor) : .newest)
        default: answer()
        }
    }

    mutating func ask(_ range: MessageRange) {
        answers.append((range, server.page(chat, range, limit: Int.random(in: 1...5, using: &random))))
    }

    mutating func answer() {
        guard !answers.isEmpty else { return }
        // Late ones overtake each other.
        let (range, page) = answers.remove(at: Int.random(in: 0..<answers.count, using: &random))
        for message in page.messages { take(seq: message.seq, change: message.change) }
        switch range {
        case .afterChange(let asked):
            let reached = page.hasMore ? page.messages.map(\.change).max() ?? asked : page.lastChange
            machine.caughtUp(
                asked: asked, reached: reached, hasMore: page.hasMore, lastSeq: page.lastSeq,
                lastChange: page.lastChange)
        case .newest: machine.loaded(SyncMachine.HistoryPage(page, before: nil, limit: 5))
        case .before(let seq): machine.loaded(SyncMachine.HistoryPage(page, before: seq, limit: 5))
        }
    }

    mutating func take(seq: Int64, change: Int64) {
        rows[seq] = max(rows[seq] ?? 0, change)
        machine.received(seq: seq, change: change)
    }

    /// Nothing is claimed that is not so.
    var lie: String? {
        for message in server[chat].messages {
            if message.seq >= machine.floor, message.seq <= machine.contiguous, rows[message.seq] == nil {
                return "\(message.seq) is missing below the contiguous \(machine.contiguous)"
            }
            if message.change <= machine.synced, message.seq >= machine.floor,
                rows[message.seq] ?? 0 < message.change
            {
                return "change \(message.change) is not applied below the synced \(machine.synced)"
            }
        }
        if machine.holes.contains(where: { hole in rows.keys.contains { hole.contains($0) } }) {
            return "a hole holds a message"
        }
        return nil
    }

    mutating func settle() {
        for _ in 0..<1000 {
            guard case .changes(let change) = machine.need(delivered: .max, unreadBelow: 0) else { return }
            answers = []
            ask(.afterChange(change))
            answer()
        }
    }
}

@Suite("Random walks of one conversation")
struct SyncWalkTests {
    @Test("Nothing is ever claimed that is not held, and catching up ends with everything", arguments: 0..<8)
    func walks(block: UInt64) {
        for seed in block * 500..<(block + 1) * 500 {
            var walk = Walk(seed: seed)
            for step in 0..<40 {
                walk.step()
                if let lie = walk.lie {
                    Issue.record("seed \(seed), step \(step): \(lie)")
                    return
                }
            }
            // The record tells how far the server is, as after each connection.
            let chat = walk.server[walk.chat]
            walk.machine.announced(lastSeq: chat.lastSeq, lastChange: chat.lastChange)
            walk.settle()
            if walk.lie != nil || walk.machine.contiguous != chat.lastSeq || !walk.machine.holes.isEmpty {
                Issue.record(
                    "seed \(seed): \(walk.lie ?? "") at the end \(walk.machine), server \(chat.lastSeq)")
                return
            }
        }
    }
}
