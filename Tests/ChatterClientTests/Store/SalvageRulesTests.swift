import ChatterModel
import ChatterTestSupport
import SQLite
import Testing

@testable import ChatterClient

// Field case 67
@Suite("What a salvage makes of half of a thing")
struct SalvageRulesTests {
    private let directory: TemporaryDirectory
    private let file: StoreFile
    private let now = Samples.noon

    init() throws {
        directory = try TemporaryDirectory()
        file = StoreFile(path: directory.file("chatter.db").path)
    }

    /// Twenty messages of Ben, two of ours that wait, one that failed, a draft, a cursor.
    private func fill() async throws {
        let (store, _) = try await file.open(account: Samples.anna)
        try await store.store(Samples.me())
        _ = try await store.store(Samples.conversation(), at: now)
        _ = try await store.apply((1...20).messages().map { .message($0) }, at: now)
        for number in Int64(1)...3 { try await store.insertPending(Samples.draft(number), at: now) }
        let head = try #require(try await store.outboxHeads().first)
        try await store.markFailed(head.id, FailureReason(code: "NOT_FRIENDS"), because: "no")
        try await store.setDraft("half a sentence", in: Samples.chat, at: now)
        _ = try await store.applySync(
            SyncPage(cursor: "c", hasMore: false, serverTime: now, friends: [Samples.friend()]), at: now)
        await store.close()
    }

    /// The damage takes these rows, and leaves one that no build wrote.
    private func salvage(without statements: String...) async throws -> Store {
        try await fill()
        let database = try Database(path: file.path, mode: .readWrite)
        try database.run("PRAGMA foreign_keys = 0")
        try database.run("PRAGMA ignore_check_constraints = 1")
        for statement in statements { try database.run(statement) }
        try database.run("INSERT INTO drafts VALUES ('damaged', '', 0)")
        database.close()
        try file.markDamaged()
        let (store, notice) = try await file.open(account: Samples.anna)
        #expect(notice == .salvaged)
        #expect(try await store.integrityProblems().isEmpty)
        #expect(try await store.draft(in: Samples.chat) == "half a sentence")
        #expect(try await store.syncCursor() == nil)
        return store
    }

    private func waiting(_ store: Store) async throws -> [String: DeliveryStatus?] {
        let items = try await store.read { try $0.conversation(Samples.chat, limit: 99) }?.items ?? []
        let pairs = items.filter { $0.seq == nil }.map { ($0.body, $0.status) }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    private func sends(_ store: Store) async throws -> Set<SendMessage> {
        let entries = try await store.read { try $0.entries(in: Samples.chat.rawValue) }
        let messages = entries.compactMap { entry -> SendMessage? in
            if case .send(let message) = entry.action { message } else { nil }
        }
        #expect(Set(messages).count == messages.count)
        return Set(messages)
    }

    private static let failed = DeliveryStatus.failed(FailureReason(code: "NOT_FRIENDS"))
    private static let all = Set((Int64(1)...3).map { Samples.draft($0) })

    @Test("With nothing of ours damaged, ours is as it was")
    func untouched() async throws {
        let store = try await salvage()
        #expect(try await waiting(store) == ["own 1": Self.failed, "own 2": .pending, "own 3": .pending])
        #expect(try await sends(store) == Self.all)
        #expect(try await store.historyFloor(of: Samples.chat) == 1)
        await store.close()
    }

    @Test("A waiting message whose entry was lost is queued again, under the same id")
    func lostEntry() async throws {
        let key = Samples.key(2).rawValue
        let store = try await salvage(without: "DELETE FROM outbox WHERE clientMessageID = '\(key)'")
        #expect(try await sends(store) == Self.all)
        #expect(try await waiting(store) == ["own 1": Self.failed, "own 2": .pending, "own 3": .pending])
        await store.close()
    }

    @Test("An entry whose row was lost is shown again, as ours")
    func lostRow() async throws {
        let key = Samples.key(3).rawValue
        let store = try await salvage(without: "DELETE FROM messages WHERE clientMessageID = '\(key)'")
        #expect(try await sends(store) == Self.all)
        #expect(try await waiting(store) == ["own 1": Self.failed, "own 2": .pending, "own 3": .pending])
        let content = try #require(try await store.read { try $0.conversation(Samples.chat, limit: 99) })
        #expect(content.items.filter(\.isMine).count == 3)
        await store.close()
    }

    @Test(
        "A failure of which one half was lost is none: the message is sent again",
        arguments: [
            "DELETE FROM outbox WHERE state = 'failed'",
            "DELETE FROM messages WHERE localStatus = 'failed'",
            "UPDATE outbox SET state = 'waiting', failureCode = NULL",
            "UPDATE messages SET localStatus = 'pending', failureCode = NULL WHERE localStatus = 'failed'",
        ])
    func halfFailure(damage: String) async throws {
        let store = try await salvage(without: damage)
        #expect(try await waiting(store) == ["own 1": .pending, "own 2": .pending, "own 3": .pending])
        #expect(try await sends(store) == Self.all)
        #expect(try await store.read { try $0.failedCount() } == 0)
        await store.close()
    }

    @Test("A message that the server has is not sent again, though its entry is still there")
    func staleEntry() async throws {
        let store = try await salvage(
            without: """
                UPDATE messages SET seq = 21, id = 'm21', change = 21, localStatus = 'confirmed'
                WHERE body = 'own 2'
                """,
            "UPDATE conversations SET lastSeq = 21, topSeq = 21, lastChange = 21, syncedChange = 21")
        #expect(try await sends(store) == [Samples.draft(1), Samples.draft(3)])
        #expect(try await waiting(store) == ["own 1": Self.failed, "own 3": .pending])
        await store.close()
    }

    @Test("With the conversation's row lost its messages wait for the record, and are shown with it")
    func lostConversation() async throws {
        let store = try await salvage(without: "DELETE FROM conversations")
        #expect(try await store.read { try $0.chats(archived: nil, now: now) }.isEmpty)
        #expect(try await sends(store) == Self.all)
        _ = try await store.store(
            Samples.conversation(lastSeq: 20, version: 3, unread: 20, lastMessage: Samples.message(20)),
            at: now)
        #expect(try await waiting(store).count == 3)
        let page = Samples.page((1...19).messages(), lastSeq: 20, lastChange: 20)
        _ = try await store.merge(page, in: Samples.chat, asked: .before(seq: 20), limit: 50, at: now)
        let content = try #require(try await store.read { try $0.conversation(Samples.chat, limit: 99) })
        #expect(content.items.compactMap(\.seq) == Array(1...20))
        #expect(content.unreadCount == 20)
        await store.close()
    }

    @Test(
        "Messages lost in the middle are history to load again, never a silent gap",
        arguments: [1, 7, 19, 20])
    func lostMessage(seq: Int64) async throws {
        let store = try await salvage(without: "DELETE FROM messages WHERE seq = \(seq)")
        #expect(try await store.historyFloor(of: Samples.chat) == seq + 1)
        let content = try #require(try await store.read { try $0.conversation(Samples.chat, limit: 99) })
        #expect(content.items.compactMap(\.seq) == Array(seq + 1..<21))
        #expect(content.hasOlder)
        #expect(content.unreadCount == 20)
        let page = Samples.page((1...seq).messages(), lastSeq: 20, lastChange: 20)
        _ = try await store.merge(page, in: Samples.chat, asked: .before(seq: seq + 1), limit: 50, at: now)
        let healed = try #require(try await store.read { try $0.conversation(Samples.chat, limit: 99) })
        #expect(healed.items.compactMap(\.seq) == Array(1...20))
        #expect(healed.unreadCount == 20)
        await store.close()
    }

    @Test("Lost friends, people and members come with the next sync")
    func lostPeople() async throws {
        let store = try await salvage(
            without: "DELETE FROM users", "DELETE FROM friends", "DELETE FROM members")
        #expect(try await store.read { try $0.friends() }.isEmpty)
        #expect(try await sends(store) == Self.all)
        let page = SyncPage(
            cursor: "d", hasMore: false, serverTime: now, friends: [Samples.friend(version: 2)],
            conversations: [Samples.conversation(lastSeq: 20, version: 2, peerDelivered: 20)])
        _ = try await store.applySync(page, at: now)
        #expect(try await store.read { try $0.friends() }.map(\.id) == [Samples.ben])
        let content = try #require(try await store.read { try $0.conversation(Samples.chat, limit: 99) })
        #expect(content.header.title == "Ben")
        await store.close()
    }
}
