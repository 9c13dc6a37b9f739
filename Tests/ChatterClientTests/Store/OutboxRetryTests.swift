import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterClient

@Suite("Sends that are refused, retried and given up")
struct OutboxRetryTests {
    @Test("Chat and outbox always show one order: what waits, by when it was last queued", arguments: 0..<60)
    func order(seed: UInt64) async throws {
        let run = try await RetryRun(seed: seed)
        for step in 0..<50 {
            try await run.step()
            try await run.compare("seed \(seed), step \(step)")
        }
        try await run.bench.audit()
    }
}

/// One chat's sends against a plain list; what leaves is acked at once.
private final class RetryRun {
    let bench: StoreBench
    private var random: SeededRandom
    private var written: Int64 = 0
    private var sent: [SendMessage] = []
    /// In the order of the queue.
    private var queue: [(draft: SendMessage, isFailed: Bool)] = []

    init(seed: UInt64) async throws {
        random = SeededRandom(seed: seed)
        bench = try await StoreBench()
    }

    func step() async throws {
        switch Int.random(in: 0..<7, using: &random) {
        case 0...2:
            written += 1
            queue.append((Samples.draft(written), false))
            try await bench.send(Samples.draft(written))
        case 3: try await leave(isRefused: false)
        case 4: try await leave(isRefused: true)
        case 5: try await retry()
        default: try await discard()
        }
    }

    private func leave(isRefused: Bool) async throws {
        guard let index = queue.firstIndex(where: { !$0.isFailed }) else { return }
        let head = try #require(try await bench.store.outboxHeads().first)
        #expect(try await bench.store.claim(head.id) == .send(queue[index].draft))
        if isRefused {
            queue[index].isFailed = true
            try await bench.store.markFailed(head.id, FailureReason(code: "FORBIDDEN"), because: "no")
        } else {
            sent.append(queue.remove(at: index).draft)
            let ack = Samples.ack(sent[sent.count - 1], seq: Int64(sent.count))
            _ = try await bench.store.complete(head.id, with: .ack(ack), at: bench.now)
        }
    }

    private func retry() async throws {
        guard let index = queue.indices.filter({ queue[$0].isFailed }).randomElement(using: &random) else {
            return
        }
        let draft = queue.remove(at: index).draft
        queue.append((draft, false))
        try await bench.store.retry(draft.clientMessageID, at: bench.now)
    }

    private func discard() async throws {
        guard let index = queue.indices.randomElement(using: &random) else { return }
        let draft = queue.remove(at: index).draft
        try await bench.store.discard(draft.clientMessageID, at: bench.now)
    }

    func compare(_ moment: String) async throws {
        let items = try await bench.content().items
        let bodies = sent.map(\.body) + queue.map(\.draft.body)
        try #require(items.map(\.body) == bodies, "\(moment)")
        let refused = DeliveryStatus.failed(FailureReason(code: "FORBIDDEN"))
        let statuses = sent.map { _ in DeliveryStatus.sent } + queue.map { $0.isFailed ? refused : .pending }
        try #require(items.map(\.status) == statuses, "\(moment)")
        let entries = try await bench.outbox()
        try #require(entries.map(\.clientMessageID) == queue.map(\.draft.clientMessageID), "\(moment)")
    }
}
