import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterClient

@Suite("The last wish holds, whatever the network did with those before")
struct OutboxWishTests {
    @Test("Settings: shown at every step as wished, and in the end the server has it", arguments: 0..<60)
    func settings(seed: UInt64) async throws {
        let run = try await SettingsRun(seed: seed)
        for step in 0..<40 {
            try await run.step()
            try await run.compare("seed \(seed), step \(step)")
        }
        try await run.drain()
        try await run.compare("seed \(seed), at the end")
        #expect(run.server == run.wish, "seed \(seed)")
    }

    @Test("A block that failed is no block, until it is retried; given up, it leaves nothing")
    func failedBlock() async throws {
        let bench = try await StoreBench()
        func isBlocked() async throws -> Bool { try await bench.content().header.composer == .blocked }
        try await bench.store.block(Samples.ben, at: bench.now)
        let first = try #require(try await bench.store.outboxHeads().first).id
        try await bench.store.markFailed(first, .serverFault, because: "x")
        #expect(try await isBlocked() == false)
        try await bench.store.retryEntry(first, at: bench.now)
        #expect(try await isBlocked())
        try await bench.store.discardEntry(
            try #require(try await bench.store.outboxHeads().first).id, at: bench.now)
        #expect(try await isBlocked() == false)
    }

    @Test("A profile edit given up shows what the server has; a later one stays")
    func discardedProfile() async throws {
        let bench = try await StoreBench()
        func name() async throws -> String? { try await bench.store.read { try $0.profile()?.displayName } }
        let first = try #require(
            try await bench.store.edit(EditProfile(displayName: "One", about: "x"), at: bench.now))
        _ = try await bench.store.claim(first)
        let second = try #require(
            try await bench.store.edit(EditProfile(displayName: "Two"), at: bench.now))
        #expect(try await name() == "Two")
        try await bench.store.markFailed(first, FailureReason(code: "INVALID"), because: "no")
        #expect(try await name() == "Two")
        try await bench.store.discardEntry(second, at: bench.now)
        #expect(try await name() == "Anna")
        try await bench.store.discardEntry(first, at: bench.now)
        #expect(try await bench.outbox().isEmpty)
    }

    @Test("A failed read receipt is told by the next one, and never twice")
    func failedReceipt() async throws {
        let bench = try await StoreBench()
        try await bench.receive((1...9).messages())
        try await bench.store.markRead(Samples.chat, upTo: 3, at: bench.now)
        let id = try #require(try await bench.store.outboxHeads().first).id
        try await bench.store.markFailed(id, .serverFault, because: "x")
        try await bench.store.markRead(Samples.chat, upTo: 5, at: bench.now)
        #expect(try await bench.outbox().map(\.state) == [.waiting])
        let head = try #require(try await bench.store.outboxHeads().first)
        #expect(
            try await bench.store.claim(head.id) == .read(Watermark(conversationID: Samples.chat, seq: 5)))
    }

    @Test(
        "A deletion given up shows the message again; retried, it hides it again", arguments: [true, false])
    func deletion(isForEveryone: Bool) async throws {
        let bench = try await StoreBench()
        let message =
            isForEveryone
            ? Samples.message(1, from: Samples.anna, body: "mine") : Samples.message(1, body: "mine")
        try await bench.receive([message])
        let item = try #require(try await bench.content().items.first)
        func shown() async throws -> [String] { try await bench.bodies().filter { !$0.isEmpty } }
        try await bench.store.delete(item.id, scope: isForEveryone ? .everyone : .me, at: bench.now)
        #expect(try await shown().isEmpty)
        let id = try #require(try await bench.store.outboxHeads().first).id
        try await bench.store.markFailed(id, .serverFault, because: "x")
        #expect(try await shown() == ["mine"])
        try await bench.store.retryEntry(id, at: bench.now)
        #expect(try await shown().isEmpty)
        try await bench.store.discardEntry(
            try #require(try await bench.store.outboxHeads().first).id, at: bench.now)
        #expect(try await shown() == ["mine"])
        try await bench.audit()
    }
}

/// One chat's settings, edited while the server's answers come late, get lost, or say no.
private final class SettingsRun {
    private let bench: StoreBench
    private var random: SeededRandom
    private(set) var wish = ConversationSettings()
    private(set) var server = ConversationSettings()
    private var version: Int64 = 1

    init(seed: UInt64) async throws {
        random = SeededRandom(seed: seed)
        bench = try await StoreBench()
    }

    private func pick(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    func step() async throws {
        switch pick(0..<4) {
        case 0...1: try await edit()
        case 2: try await attempt()
        default:
            // A record of before the edits that are under way: late, and no news.
            _ = try await bench.store.store(record(), at: bench.now)
        }
    }

    private func edit() async throws {
        let until = bench.now.advanced(by: .seconds(3600))
        let edits = [
            EditSettings(archived: true), EditSettings(archived: false), EditSettings(pinned: true),
            EditSettings(pinned: false), EditSettings(mutedUntil: until), EditSettings(unmute: true),
            EditSettings(mutedUntil: .distantFuture, archived: true, pinned: true),
        ]
        let edit = edits[pick(0..<edits.count)]
        wish.apply(edit)
        try await bench.store.edit(edit, of: Samples.chat, at: bench.now)
    }

    private func record() -> Conversation { Samples.conversation(version: version, settings: server) }

    /// The head leaves: it arrives or not, and its answer arrives or not.
    private func attempt() async throws {
        guard let head = try await bench.store.outboxHeads().first,
            case .editSettings(_, let edit) = try await bench.store.claim(head.id)
        else { return }
        let fate = pick(0..<3)
        if fate > 0 {
            server.apply(edit)
            version += 1
        }
        if fate == 2 {
            _ = try await bench.store.complete(head.id, with: .conversation(record()), at: bench.now)
        } else {
            try await bench.store.postpone(head.id, until: nil, isHeld: false, faults: 0, because: "lost")
        }
    }

    func drain() async throws {
        for _ in 0..<500 where try await !bench.outbox().isEmpty { try await attempt() }
        #expect(try await bench.outbox().isEmpty)
    }

    func compare(_ moment: String) async throws {
        let chat = try await bench.chat()
        let shown = ConversationSettings(
            mutedUntil: chat.mutedUntil, archived: chat.isArchived, pinned: chat.isPinned)
        try #require(shown == wish, "\(moment)")
    }
}
