import ChatterModel
import Foundation
import SQLite
import Testing

@testable import ChatterClient

/// A store to test on: in memory, or in a file that can be closed and opened again like an app that was killed.
final class StoreBench {
    private(set) var store: Store
    private let directory: URL?
    var now = Samples.noon

    /// - Parameter onDisk: needed for `relaunch()`.
    init(onDisk: Bool = false, conversations: [Conversation] = [Samples.conversation()]) async throws {
        if onDisk {
            let url = FileManager.default.temporaryDirectory.appendingPathComponent(
                "store-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            directory = url
        } else {
            directory = nil
        }
        store = try Store(
            path: directory.map { $0.appendingPathComponent("chatter.db").path }, account: Samples.anna,
            executor: .inline)
        try await store.store(Samples.me())
        for conversation in conversations { _ = try await store.store(conversation, at: now) }
    }

    deinit {
        guard let directory else { return }
        do {
            try FileManager.default.removeItem(at: directory)
        } catch {
            Issue.record("left behind: \(directory.path)")
        }
    }

    var path: String { directory?.appendingPathComponent("chatter.db").path ?? "" }

    /// The process dies and starts again.
    func relaunch() async throws {
        await store.close()
        store = try Store(path: path, account: Samples.anna, executor: .inline)
    }

    func send(_ draft: SendMessage) async throws {
        now = now.advanced(by: .milliseconds(1))
        try await store.insertPending(draft, at: now)
    }

    func receive(_ messages: [Message]) async throws {
        _ = try await store.apply(messages.map { .message($0) }, at: now)
    }

    func apply(_ receipt: Receipt) async throws {
        _ = try await store.apply([.receipt(receipt)], at: now)
    }

    @discardableResult
    func merge(
        _ page: MessagePage, in id: ID<Conversation> = Samples.chat, asked range: MessageRange,
        limit: Int = 50
    ) async throws -> MergeOutcome {
        try await store.merge(page, in: id, asked: range, limit: limit, at: now)
    }

    // MARK: - Looking

    func content(_ id: ID<Conversation> = Samples.chat, limit: Int = 200) async throws -> ConversationContent
    {
        try #require(try await store.read { try $0.conversation(id, limit: limit) })
    }

    func bodies(_ id: ID<Conversation> = Samples.chat) async throws -> [String] {
        try await content(id).items.map(\.body)
    }

    func chats() async throws -> [ChatItem] {
        let now = now
        return try await store.read { try $0.chats(archived: nil, now: now) }
    }

    func chat(_ id: ID<Conversation> = Samples.chat) async throws -> ChatItem {
        try #require(try await chats().first { $0.id == id })
    }

    func outbox() async throws -> [OutboxItem] { try await store.read { try $0.outboxItems() } }

    func unread(_ id: ID<Conversation> = Samples.chat) async throws -> Int { try await chat(id).unreadCount }

    func sync(_ id: ID<Conversation> = Samples.chat) async throws -> SyncMachine {
        try #require(
            try await store.write { context in try ConversationLedger(id, in: context)?.sync })
    }

    func count(_ sql: String, _ values: String...) async throws -> Int {
        try await store.read { context in
            try context.database.first(sql, values) { $0.int(0) } ?? -1
        }
    }

    /// What must hold after every transaction, whatever happened.
    func audit(_ location: SourceLocation = #_sourceLocation) async throws {
        let wrongCounts = try await count(
            """
            SELECT count(*) FROM conversations c WHERE unreadLoaded <> (
                SELECT count(*) FROM messages m WHERE m.conversationID = c.id AND m.seq >= c.historyFloor
                    AND m.seq > c.myReadSeq AND m.isMine = 0 AND m.deletedAt IS NULL AND m.hidden = 0
                    AND m.deletion IS NULL)
            """)
        #expect(wrongCounts == 0, "unread counts differ from the rows", sourceLocation: location)
        let rowsInHoles = try await count(
            """
            SELECT count(*) FROM messages m JOIN holes h ON h.conversationID = m.conversationID
                AND m.seq BETWEEN h.fromSeq AND h.toSeq
            """)
        #expect(rowsInHoles == 0, "a hole holds a message", sourceLocation: location)
        let rowsAboveTop = try await count(
            """
            SELECT count(*) FROM messages m JOIN conversations c ON c.id = m.conversationID
            WHERE m.seq > c.topSeq
            """)
        #expect(rowsAboveTop == 0, "a message above the top", sourceLocation: location)
        let orphans = try await count(
            """
            SELECT count(*) FROM messages m WHERE m.localStatus <> 'confirmed'
                AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.clientMessageID = m.clientMessageID)
            """)
        #expect(orphans == 0, "a waiting message without its entry", sourceLocation: location)
        let leftovers = try await count(
            """
            SELECT count(*) FROM outbox o JOIN messages m ON m.clientMessageID = o.clientMessageID AND m.isMine = 1
            WHERE m.localStatus = 'confirmed'
            """)
        #expect(leftovers == 0, "an entry of a message that the server has", sourceLocation: location)
    }
}

extension ReadContext {
    /// What the chat's screen counts; 0 for a chat that is not here.
    func unread(_ id: ID<Conversation>) throws -> Int { try conversation(id, limit: 1)?.unreadCount ?? 0 }
}
