import ChatterModel
import ChatterTestSupport
import Testing

@testable import ChatterClient

@Suite("The chats list")
struct ChatsListTests {
    private static let chats = (1...6).map { ID<Conversation>("019a0000-0000-7000-8000-00000000010\($0)") }

    private func bench() async throws -> StoreBench {
        try await StoreBench(conversations: Self.chats.map { Samples.conversation($0) })
    }

    private func ids(_ bench: StoreBench, archived: Bool?) async throws -> [ID<Conversation>] {
        let now = bench.now
        return try await bench.store.read { try $0.chats(archived: archived, now: now) }.map(\.id)
    }

    @Test(
        "Pins, archive, drafts, mutes, sends and arrivals in any order: the list a person expects",
        arguments: 0..<30)
    func agrees(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let bench = try await bench()
        var list = ListOracle(Self.chats)
        for step in 1...40 {
            let chat = Self.chats[Int.random(in: 0..<6, using: &random)]
            try await list.act(Int.random(in: 0..<7, using: &random), on: chat, Int64(step), bench)
            for archived in [nil, true, false] as [Bool?] {
                let shown = try await ids(bench, archived: archived)
                #expect(shown == list.ids(archived: archived), "seed \(seed), step \(step)")
            }
            for item in try await bench.chats() {
                let entry = try #require(list.entries[item.id])
                #expect(item.isMuted == entry.isMuted && item.isPinned == entry.isPinned, "seed \(seed)")
                #expect(item.draft == entry.draft, "seed \(seed), step \(step)")
                #expect(item.unreadCount == entry.unread, "seed \(seed), step \(step)")
                #expect(item.preview?.body == entry.preview, "seed \(seed), step \(step)")
            }
        }
    }

    @Test("A mute ends by itself at its time")
    func muteEnds() async throws {
        let bench = try await bench()
        let until = bench.now.advanced(by: .seconds(3600))
        try await bench.store.edit(EditSettings(mutedUntil: until), of: Self.chats[0], at: bench.now)
        #expect(try await bench.chat(Self.chats[0]).isMuted)
        bench.now = until.advanced(by: .milliseconds(-1))
        #expect(try await bench.chat(Self.chats[0]).isMuted)
        bench.now = until
        #expect(try await bench.chat(Self.chats[0]).isMuted == false)
    }

    @Test("Chats without activity stand in one order on every device")
    func ties() async throws {
        #expect(try await bench().chats().map(\.id) == Self.chats.reversed())
    }

    @Test("A chat whose record has not come is in no list, and a gone one in none either")
    func invisible() async throws {
        let bench = try await bench()
        let unknown = ID<Conversation>("019a0000-0000-7000-8000-000000000199")
        try await bench.receive((1...1).messages(in: unknown))
        let asked = [Self.chats[0]: SyncRequest.Held(seq: 0, change: 0)]
        _ = try await bench.store.apply(
            [.completed(SyncComplete(conversations: [:]), asked: asked, isWhole: true)], at: bench.now)
        for archived in [nil, true, false] as [Bool?] {
            let shown = try await ids(bench, archived: archived)
            #expect(!shown.contains(unknown) && !shown.contains(Self.chats[0]))
        }
        #expect(try await bench.store.read { try $0.directConversation(with: Samples.ben) } != Self.chats[0])
    }

    @Test("A draft changes neither place nor preview, and is gone when emptied")
    func draft() async throws {
        let bench = try await bench()
        let before = try await bench.chats().map(\.id)
        try await bench.store.setDraft("half", in: Self.chats[0], at: bench.now.advanced(by: .seconds(99)))
        #expect(try await bench.chats().map(\.id) == before)
        #expect(try await bench.chat(Self.chats[0]).draft == "half")
        #expect(try await bench.chat(Self.chats[0]).preview == nil)
        try await bench.store.setDraft("", in: Self.chats[0], at: bench.now)
        #expect(try await bench.chat(Self.chats[0]).draft == nil)
    }

    @Test("A failed message stays the preview, with its reason, and its chat on top")
    func failedPreview() async throws {
        let bench = try await bench()
        try await bench.send(Samples.draft(1, in: Self.chats[2]))
        let head = try #require(try await bench.store.outboxHeads().first)
        try await bench.store.markFailed(head.id, FailureReason(code: "NOT_FRIENDS"), because: "no")
        let first = try #require(try await bench.chats().first)
        #expect(first.id == Self.chats[2])
        #expect(first.preview?.status == .failed(FailureReason(code: "NOT_FRIENDS")))
    }
}

/// The list as a person would keep it by hand: whatever happens in a chat puts it first.
private struct ListOracle {
    struct Entry {
        var isPinned = false
        var isArchived = false
        var isMuted = false
        var draft: String?
        var unread = 0
        var lastSeq: Int64 = 0
        var received: String?
        var waiting: String?
        var preview: String? { waiting ?? received }
    }

    private(set) var entries: [ID<Conversation>: Entry] = [:]
    private var recent: [ID<Conversation>]

    init(_ chats: [ID<Conversation>]) {
        recent = chats.reversed()
        for chat in chats { entries[chat] = Entry() }
    }

    func ids(archived: Bool?) -> [ID<Conversation>] {
        let shown = recent.filter { archived == nil || entries[$0]?.isArchived == archived }
        return shown.filter { entries[$0]?.isPinned == true } + shown.filter { entries[$0]?.isPinned != true }
    }

    /// Does the same here and in the store.
    mutating func act(
        _ action: Int, on id: ID<Conversation>, _ step: Int64, _ bench: StoreBench
    ) async throws {
        var entry = entries[id] ?? Entry()
        let (store, now) = (bench.store, bench.now)
        switch action {
        case 0:
            entry.isPinned.toggle()
            try await store.edit(EditSettings(pinned: entry.isPinned), of: id, at: now)
        case 1:
            entry.isArchived.toggle()
            try await store.edit(EditSettings(archived: entry.isArchived), of: id, at: now)
        case 2:
            entry.isMuted.toggle()
            let edit =
                entry.isMuted ? EditSettings(mutedUntil: .distantFuture) : EditSettings(unmute: true)
            try await store.edit(edit, of: id, at: now)
        case 3:
            entry.draft = entry.draft == nil ? "draft \(step)" : nil
            try await store.setDraft(entry.draft ?? "", in: id, at: now)
        case 4:
            entry.waiting = "own \(step)"
            recent = [id] + recent.filter { $0 != id }
            try await bench.send(Samples.draft(step, in: id))
        case 5:
            try await store.markRead(id, upTo: entry.lastSeq, at: now)
            entry.unread = 0
        default:
            entry.lastSeq += 1
            entry.unread += 1
            entry.received = "text \(step)"
            recent = [id] + recent.filter { $0 != id }
            var message = Samples.message(entry.lastSeq, in: id, body: "text \(step)")
            message.createdAt = Samples.noon.advanced(by: .seconds(step))
            try await bench.receive([message])
        }
        entries[id] = entry
    }
}
