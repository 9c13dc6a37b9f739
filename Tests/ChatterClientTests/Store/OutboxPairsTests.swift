import ChatterModel
import Testing

@testable import ChatterClient

/// Two actions on one person.
struct ActionPair: CustomTestStringConvertible, Sendable {
    var first: OutboxAction
    var second: OutboxAction

    var testDescription: String { "\(first.kind.rawValue), then \(second.kind.rawValue)" }

    static let all: [ActionPair] = {
        let user = Samples.ben
        let actions: [OutboxAction] = [
            .sendFriendRequest(user), .cancelFriendRequest(user), .acceptFriendRequest(user),
            .declineFriendRequest(user), .removeFriend(user), .block(user), .unblock(user),
        ]
        return actions.flatMap { first in actions.map { ActionPair(first: first, second: $0) } }
    }()

    /// What waits after both, when neither had left.
    var left: [OutboxAction] {
        if first == second { return [first] }
        switch (first.kind, second.kind) {
        case (.block, .unblock), (.unblock, .block): return []
        case (.sendFriendRequest, .cancelFriendRequest), (.cancelFriendRequest, .sendFriendRequest): return []
        case (.acceptFriendRequest, .declineFriendRequest): return [second]
        case (.declineFriendRequest, .acceptFriendRequest): return [second]
        default: return [first, second]
        }
    }
}

@Suite("Two actions on one person, every pair of kinds")
struct OutboxPairsTests {
    private func waiting(_ bench: StoreBench) async throws -> [OutboxAction] {
        try await bench.store.read { try $0.entries(in: OutboxAction.personLane(Samples.ben)) }.map(\.action)
    }

    private func queue(_ action: OutboxAction, _ bench: StoreBench) async throws {
        let now = bench.now
        try await bench.store.write { try $0.queuePerson(action, at: now) }
    }

    /// With a request in each direction, so that every action has something to be about.
    private func bench() async throws -> StoreBench {
        let bench = try await StoreBench()
        _ = try await bench.store.apply(
            [
                .request(Samples.request(from: Samples.ben, to: Samples.anna, 1)),
                .request(Samples.request(from: Samples.anna, to: Samples.ben, 2)),
            ], at: bench.now)
        return bench
    }

    @Test("Before the first has left they melt, cancel out or follow each other", arguments: ActionPair.all)
    func untouched(pair: ActionPair) async throws {
        let bench = try await bench()
        try await queue(pair.first, bench)
        try await queue(pair.second, bench)
        #expect(try await waiting(bench) == pair.left)
    }

    @Test("Once the first may have left, nothing takes it back", arguments: ActionPair.all)
    func underWay(pair: ActionPair) async throws {
        let bench = try await bench()
        try await queue(pair.first, bench)
        let id = try #require(try await bench.store.outboxHeads().first).id
        #expect(try await bench.store.claim(id) != nil)
        try await queue(pair.second, bench)
        let both = pair.first == pair.second ? [pair.first] : [pair.first, pair.second]
        #expect(try await waiting(bench) == both)
        // In one lane: the second waits for the first's answer.
        #expect(try await bench.store.outboxHeads().map(\.id) == [id])
    }

    @Test(
        "A failed first one stays for the person to decide, and holds nothing up", arguments: ActionPair.all)
    func failed(pair: ActionPair) async throws {
        let bench = try await bench()
        try await queue(pair.first, bench)
        let id = try #require(try await bench.store.outboxHeads().first).id
        try await bench.store.markFailed(id, FailureReason(code: "FORBIDDEN"), because: "no")
        try await queue(pair.second, bench)
        #expect(try await waiting(bench) == [pair.first, pair.second])
        #expect(try await bench.store.outboxHeads().map(\.kind) == [pair.second.kind])
        // Retried, it goes behind what waits; given up, it leaves nothing.
        try await bench.store.retryEntry(id, at: bench.now)
        #expect(try await waiting(bench) == [pair.second, pair.first])
        let last = try #require(try await bench.outbox().last)
        try await bench.store.discardEntry(last.id, at: bench.now)
        #expect(try await waiting(bench) == [pair.second])
    }

    @Test("Actions on different people never touch each other")
    func otherPerson() async throws {
        let bench = try await bench()
        try await queue(.block(Samples.ben), bench)
        let carl = ID<User>("019a0000-0000-7000-8000-00000000000d")
        try await queue(.unblock(carl), bench)
        #expect(try await bench.outbox().map(\.kind) == ["block.add", "block.remove"])
        #expect(try await bench.store.outboxHeads().count == 2)
    }
}
