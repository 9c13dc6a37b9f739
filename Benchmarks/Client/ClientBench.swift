import ChatterClient
import ChatterModel
import ChatterTestSupport
import Foundation
import SQLite

/// The client's store with one long chat, beside bare SQLite doing the same rows in the same run.
struct ClientBench {
    var messages = 100_000
    /// As the server pages them.
    var page = Limits.largestPage
    var rounds = 9

    private let me = ID<User>("me")
    private let peer = ID<User>("peer")
    private let chat = ID<Conversation>("chat")

    func run() async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
            "chatter-bench-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let pages = stride(from: 1, through: messages, by: page).map { first in
            (first...min(first + page - 1, messages)).map(message)
        }
        print("client: a chat of \(messages.formatted()) messages, merged in pages of \(page)")
        let store = try Store(path: directory.appendingPathComponent("store.db").path, account: me)
        try await store.claimAccount()
        try await store.apply(
            SyncPage(cursor: "1", hasMore: false, serverTime: time(0), conversations: [conversation]),
            at: time(0))
        let merge = try await measure { try await self.merge(pages, into: store) }
        let bare = try BareStore(path: directory.appendingPathComponent("bare.db").path)
        let insert = try await measure { try bare.insert(pages) }
        Report.line("merging what was missed", merge / .milliseconds(1), "ms")
        Report.line("bare SQLite, same rows and indexes", insert / .milliseconds(1), "ms")
        Report.line("ratio", merge / insert, "×", goal: "≤ 3")
        try await firstPage(store, bare)
        await store.close()
    }

    private func merge(_ pages: [[Message]], into store: Store) async throws {
        var change: Int64 = 0
        for (index, messages) in pages.enumerated() {
            let page = MessagePage(
                messages: messages, hasMore: index < pages.count - 1, lastSeq: Int64(self.messages),
                lastChange: Int64(self.messages))
            try await store.merge(missed: page, in: chat, after: change, at: time(0))
            change = messages.last?.change ?? change
        }
    }

    private func firstPage(_ store: Store, _ bare: BareStore) async throws {
        var screen: [Duration] = []
        var rows: [Duration] = []
        for _ in 0..<rounds {
            screen.append(
                try await measure {
                    let content = try await store.firstPage(of: chat, limit: Limits.pageSize)
                    guard content?.items.count == Limits.pageSize else {
                        throw LoadFailure("the page is not full")
                    }
                })
            rows.append(try await measure { try bare.newest(Limits.pageSize) })
        }
        Report.line(
            "first page, median of \(rounds)", screen.sorted()[rounds / 2] / .milliseconds(1), "ms",
            goal: "< 10")
        Report.line("bare SQLite, same rows", rows.sorted()[rounds / 2] / .milliseconds(1), "ms")
    }

    private func measure(_ work: () async throws -> Void) async rethrows -> Duration {
        let started = ContinuousClock.now
        try await work()
        return started.duration(to: .now)
    }

    private func time(_ second: Int) -> Timestamp {
        Timestamp(milliseconds: 1_790_000_000_000 + Int64(second) * 1000)
    }

    private func message(_ seq: Int) -> Message {
        Message(
            id: ID("0199a0b0-0000-7000-8000-\(String(format: "%012x", seq))"),
            clientMessageID: ClientMessageID(UUID()),
            conversationID: chat, senderID: seq % 3 == 0 ? me : peer, seq: Int64(seq), change: Int64(seq),
            body: "Message number \(seq), of about the length that people write.", createdAt: time(seq))
    }

    private var conversation: Conversation {
        let user = User(id: peer, username: "peer", displayName: "Peer", version: 1)
        let own = User(id: me, username: "me", displayName: "Me", version: 1)
        return Conversation(
            id: chat, type: .direct, members: [Member(user: own), Member(user: user)], lastSeq: 0,
            lastChange: 0,
            lastMessage: nil, unreadCount: 0, settings: ConversationSettings(), createdAt: time(0),
            lastActivityAt: time(0), version: 1)
    }
}

/// What SQLite itself takes: the store's table and indexes, one insert a row, one transaction a page.
private final class BareStore {
    private let database: Database

    init(path: String) throws {
        database = try Database(path: path, mode: .readWrite)
        try database.execute(
            script: """
                CREATE TABLE messages (
                    localID INTEGER PRIMARY KEY, id TEXT UNIQUE, clientMessageID TEXT NOT NULL,
                    conversationID TEXT NOT NULL, seq INTEGER, change INTEGER NOT NULL, senderID TEXT NOT NULL,
                    isMine INTEGER NOT NULL, type TEXT NOT NULL, body TEXT NOT NULL, createdAt INTEGER NOT NULL,
                    localStatus TEXT NOT NULL, UNIQUE (conversationID, seq)
                ) STRICT;
                CREATE UNIQUE INDEX ownMessages ON messages (clientMessageID) WHERE isMine = 1;
                """)
    }

    func insert(_ pages: [[Message]]) throws {
        for page in pages {
            try database.transaction {
                for message in page {
                    try database.run(
                        """
                        INSERT INTO messages (id, clientMessageID, conversationID, seq, change, senderID, isMine, type,
                            body, createdAt, localStatus) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'confirmed')
                        """, message.id.rawValue, message.clientMessageID.rawValue,
                        message.conversationID.rawValue,
                        message.seq, message.change, message.senderID.rawValue,
                        message.senderID.rawValue == "me",
                        message.type.rawValue, message.body, message.createdAt.milliseconds)
                }
            }
        }
    }

    func newest(_ count: Int) throws {
        let rows = try database.all(
            """
            SELECT id, clientMessageID, seq, senderID, body, createdAt FROM messages
            WHERE conversationID = 'chat' ORDER BY seq DESC LIMIT ?
            """, count
        ) { ($0.text(0), $0.text(1), $0.int64(2), $0.text(3), $0.text(4), $0.int64(5)) }
        guard rows.count == count else { throw LoadFailure("the page is not full") }
    }
}
