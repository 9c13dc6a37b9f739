import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterClient

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
