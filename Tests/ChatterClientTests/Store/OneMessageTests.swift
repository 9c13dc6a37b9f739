import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterClient

/// What can happen to one message after it was written.
private enum Step: CaseIterable, CustomStringConvertible {
    case ack, echo, page, gap, relaunch, resync

    var description: String {
        switch self {
        case .ack: "ack"
        case .echo: "echo"
        case .page: "page"
        case .gap: "gap"
        case .relaunch: "relaunch"
        case .resync: "resync"
        }
    }
}

/// One own message (the chat's third) through any order of steps; looks after each.
private struct Journey {
    let bench: StoreBench
    let chat: ID<Conversation>
    let draft: SendMessage
    let label: String

    /// The chat holds two messages of Ben; he sends a fourth after ours.
    init(_ bench: StoreBench, chat: ID<Conversation>, number: Int64, label: String) async throws {
        self.bench = bench
        self.chat = chat
        self.label = label
        draft = Samples.draft(number, in: chat)
        _ = try await bench.store.store(Samples.conversation(chat, lastSeq: 2), at: bench.now)
        try await bench.merge(page(2), in: chat, asked: .newest)
        try await bench.send(draft)
        try await look("insert")
    }

    private func page(_ last: Int64) -> MessagePage {
        let messages = (Int64(1)...last).map { seq in
            seq == 3 ? Samples.echo(draft, seq: 3) : Samples.message(seq, in: chat)
        }
        return Samples.page(messages, lastSeq: last, lastChange: last)
    }

    func take(_ step: Step) async throws {
        switch step {
        case .ack: try await bench.store.applyAck(Samples.ack(draft, seq: 3), at: bench.now)
        case .echo: try await bench.store.merge(Samples.echo(draft, seq: 3), at: bench.now)
        case .page: try await bench.merge(page(4), in: chat, asked: .newest)
        case .gap: try await bench.store.merge(Samples.message(4, in: chat), at: bench.now)
        case .relaunch: try await bench.relaunch()
        case .resync: try await bench.merge(page(4), in: chat, asked: .afterChange(2))
        }
        try await look("\(step)")
    }

    /// One row for the message at every moment; it never disappears and never doubles.
    private func look(_ moment: String) async throws {
        let (key, body) = (draft.clientMessageID.rawValue, draft.body)
        let id = Samples.messageID(3, in: chat).rawValue
        let counts = try await bench.store.read { context in
            try context.database.first(
                """
                SELECT (SELECT count(*) FROM messages WHERE clientMessageID = ?1 AND isMine = 1),
                    (SELECT count(*) FROM messages WHERE id = ?2),
                    (SELECT count(*) FROM messages WHERE clientMessageID = ?1 AND isMine = 1 AND body = ?3)
                """, key, id, body
            ) { [$0.int(0), $0.int(1), $0.int(2)] }
        }
        #expect(counts == [1, 0, 1] || counts == [1, 1, 1], "\(label), after \(moment)")
    }

    func end() async throws {
        let items = try await bench.content(chat).items
        #expect(items.map(\.seq) == [1, 2, 3, 4], "\(label)")
        #expect(items[2].status == .sent, "\(label)")
        #expect(items[2].messageID == Samples.messageID(3, in: chat), "\(label)")
        let waiting = try await bench.count(
            "SELECT count(*) FROM outbox WHERE clientMessageID = ?", draft.clientMessageID.rawValue)
        #expect(waiting == 0, "\(label)")
        let sync = try await bench.sync(chat)
        #expect(sync.contiguous == 4 && sync.synced == 4, "\(label)")
    }
}

@Suite("One message through every order of events")
struct OneMessageTests {
    /// Every order of every subset: what is left out was dropped by the network.
    private static func orders(of steps: [Step]) -> [[Step]] {
        guard !steps.isEmpty else { return [[]] }
        var result: [[Step]] = [[]]
        for (index, step) in steps.enumerated() {
            var rest = steps
            rest.remove(at: index)
            result += orders(of: rest).map { [step] + $0 }
        }
        return result
    }

    // Field cases 14, 15
    @Test("All orders of ack, echo, page, gap and relaunch end with one sent message in its place")
    func allOrders() async throws {
        let orders = Self.orders(of: [.ack, .echo, .page, .gap, .relaunch])
        #expect(orders.count == 326)
        // One database, a conversation an order: what is tested is each conversation's own.
        let bench = try await StoreBench(onDisk: true, conversations: [])
        for (number, order) in orders.enumerated() {
            let chat = ID<Conversation>("019a0000-0000-7000-8000-" + String(number).leftPadded(12))
            let label = "\(order)"
            let journey = try await Journey(bench, chat: chat, number: Int64(number), label: label)
            for step in order { try await journey.take(step) }
            // In the end every client catches up.
            try await journey.take(.resync)
            try await journey.end()
        }
        try await bench.audit()
    }

    // Field case 15
    @Test("10,000 random runs keep one row at every step", arguments: 0..<50)
    func randomRuns(block: UInt64) async throws {
        let bench = try await StoreBench(conversations: [])
        let steps = Step.allCases.filter { $0 != .relaunch }
        for seed in block * 200..<(block + 1) * 200 {
            var random = SeededRandom(seed: seed)
            let chat = ID<Conversation>("019a0000-0000-7000-8000-" + String(seed).leftPadded(12))
            let journey = try await Journey(bench, chat: chat, number: Int64(seed), label: "seed \(seed)")
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                try await journey.take(steps.randomElement(using: &random) ?? .ack)
            }
            try await journey.take(.resync)
            try await journey.end()
        }
        try await bench.audit()
    }

    @Test("Relaunches between random steps change nothing", arguments: 0..<40)
    func randomRelaunches(seed: UInt64) async throws {
        var random = SeededRandom(seed: 20_000 + seed)
        let bench = try await StoreBench(onDisk: true, conversations: [])
        let journey = try await Journey(bench, chat: Samples.chat, number: 1, label: "seed \(seed)")
        for _ in 0..<10 { try await journey.take(Step.allCases.randomElement(using: &random) ?? .ack) }
        try await journey.take(.resync)
        try await journey.end()
        try await bench.audit()
    }
}
