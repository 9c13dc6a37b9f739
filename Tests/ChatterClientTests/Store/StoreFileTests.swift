import ChatterModel
import ChatterTestSupport
import Foundation
import SQLite
import Testing

@testable import ChatterClient

// Field case 67
@Suite("A damaged database", .timeLimit(.minutes(2)))
struct DamageTests {
    private let directory: TemporaryDirectory
    private let file: StoreFile
    private let now = Samples.noon
    private static let messages: Int64 = 3000

    init() throws {
        directory = try TemporaryDirectory()
        file = StoreFile(path: directory.file("chatter.db").path)
    }

    private var path: String { file.path }

    /// A chat with many messages, three of them waiting, one failed, and a draft.
    private func fill() async throws {
        let (store, notice) = try await file.open(account: Samples.anna)
        #expect(notice == nil)
        try await store.store(Samples.me())
        _ = try await store.store(Samples.conversation(), at: now)
        for start in stride(from: Int64(1), to: Self.messages, by: 500) {
            let page = (start..<start + 500).map {
                Samples.message($0, body: "text \($0) " + String(repeating: "x", count: 60))
            }
            _ = try await store.apply(page.map { .message($0) }, at: now)
        }
        for number in Int64(1)...4 { try await store.insertPending(Samples.draft(number), at: now) }
        let head = try #require(try await store.outboxHeads().first)
        try await store.markFailed(head.id, FailureReason(code: "NOT_FRIENDS"), because: "no")
        try await store.setDraft("half a sentence", in: Samples.chat, at: now)
        _ = try await store.applySync(SyncPage(cursor: "c", hasMore: false, serverTime: now), at: now)
        await store.close()
    }

    /// The pages of a table or an index, by their numbers.
    private func pages(of name: String) throws -> [Int] {
        let database = try Database(path: path, mode: .readOnly)
        defer { database.close() }
        return try database.all("SELECT pageno FROM dbstat WHERE name = ? ORDER BY pageno", name) {
            $0.int(0)
        }
    }

    private func overwrite(page: Int) throws {
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try handle.seek(toOffset: UInt64((page - 1) * 4096))
        try handle.write(contentsOf: Data(repeating: 0xA5, count: 4096))
        try handle.close()
    }

    /// Opens, reads everything as an app does in the background, and opens again when something was wrong.
    private func openAndCheck() async throws -> (store: Store, notice: StoreFile.Notice?) {
        let (store, notice) = try await file.open(account: Samples.anna)
        guard try await !store.integrityProblems().isEmpty else { return (store, notice) }
        await store.close()
        try file.markDamaged()
        return try await file.open(account: Samples.anna)
    }

    private func expectNothingOfOursLost(_ store: Store) async throws {
        let items = try await store.read { try $0.outboxItems() }
        #expect(items.map(\.clientMessageID) == [1, 2, 3, 4].map { Samples.key($0) })
        #expect(items.first?.state == .failed(FailureReason(code: "NOT_FRIENDS")))
        #expect(try await store.draft(in: Samples.chat) == "half a sentence")
        let content = try #require(try await store.read { try $0.conversation(Samples.chat, limit: 9000) })
        let waiting = content.items.filter { $0.seq == nil }
        #expect(waiting.map(\.body) == ["own 1", "own 2", "own 3", "own 4"])
        #expect(waiting.map(\.status).dropFirst() == [.pending, .pending, .pending])
        #expect(waiting.first?.status == .failed(FailureReason(code: "NOT_FRIENDS")))
        #expect(try await store.integrityProblems().isEmpty)
    }

    @Test("A bad page in the messages: what waits is saved, what is lost comes again by paging")
    func tableDamage() async throws {
        try await fill()
        let pages = try pages(of: "messages")
        try overwrite(page: pages[pages.count / 2])
        let (store, notice) = try await openAndCheck()
        #expect(notice == .salvaged)
        try await expectNothingOfOursLost(store)
        // Everything again: the cursor is gone, and what lay below the damage counts as not loaded.
        #expect(try await store.syncCursor() == nil)
        let floor = try #require(try await store.historyFloor(of: Samples.chat))
        #expect(floor > 1 && floor < Self.messages)
        let kept = try await store.read {
            try $0.database.first("SELECT count(*) FROM messages") { $0.int64(0) } ?? 0
        }
        #expect(kept > Self.messages - 200, "only the rows of one page may be lost")
        let content = try #require(try await store.read { try $0.conversation(Samples.chat, limit: 9000) })
        #expect(content.items.compactMap(\.seq) == Array(floor...Self.messages))
        #expect(content.hasOlder)
        // A page of history below fills the gap, the rows that were saved included.
        _ = try await store.merge(
            Samples.page(
                (1..<floor).map { Samples.message($0) }, lastSeq: Self.messages, lastChange: Self.messages),
            in: Samples.chat, asked: .before(seq: floor), limit: Int(floor), at: now)
        let healed = try #require(try await store.read { try $0.conversation(Samples.chat, limit: 9000) })
        #expect(healed.items.compactMap(\.seq) == Array(1...Self.messages))
        #expect(healed.unreadCount == Int(Self.messages))
        await store.close()
    }

    @Test("A bad page in an index: nothing is lost")
    func indexDamage() async throws {
        try await fill()
        let pages = try pages(of: "sqlite_autoindex_messages_2")
        try overwrite(page: try #require(pages.last))
        let (store, notice) = try await openAndCheck()
        #expect(notice == .repaired)
        try await expectNothingOfOursLost(store)
        #expect(try await store.historyFloor(of: Samples.chat) == 1)
        #expect(try await store.syncCursor() == "c")
        await store.close()
    }

    @Test("Any one bad page: the app starts, and starts again", arguments: 0..<24)
    func anyPage(step: Int) async throws {
        try await fill()
        let size = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
        let page = 1 + (size / 4096 - 1) * step / 23
        try overwrite(page: page)
        let (store, _) = try await openAndCheck()
        #expect(try await store.integrityProblems().isEmpty, "page \(page)")
        try await store.insertOrFindChat(at: now)
        try await store.insertPending(Samples.draft(50), at: now)
        await store.close()
        let (again, notice) = try await file.open(account: Samples.anna)
        #expect(notice == nil, "page \(page)")
        let items = try await again.read { try $0.outboxItems() }
        #expect(items.contains { $0.clientMessageID == Samples.key(50) }, "page \(page)")
        await again.close()
    }

    @Test("A WAL that was cut short: the last commits may be gone, the file is sound")
    func truncatedWAL() async throws {
        let (store, _) = try await file.open(account: Samples.anna)
        _ = try await store.store(Samples.conversation(), at: now)
        for number in Int64(1)...20 { try await store.insertPending(Samples.draft(number), at: now) }
        // As a power failure leaves it: copied while open, with half of its WAL.
        let copy = directory.file("copy.db").path
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        let wal = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
        try wal.prefix(wal.count / 2 + 100).write(to: URL(fileURLWithPath: copy + "-wal"))
        await store.close()
        let (half, notice) = try await StoreFile(path: copy).open(account: Samples.anna)
        #expect(notice == nil)
        #expect(try await half.integrityProblems().isEmpty)
        let (rows, entries) = try await half.read { context in
            (
                try context.database.first("SELECT count(*) FROM messages") { $0.int(0) } ?? 0,
                try context.outboxItems().count
            )
        }
        #expect(rows == entries)
        #expect(rows < 20)
        await half.close()
    }

    @Test("A file that is no database at all is put aside, and the app starts empty")
    func noDatabase() async throws {
        try Data("this is no database, it only has its name".utf8).write(to: URL(fileURLWithPath: path))
        let (store, notice) = try await file.open(account: Samples.anna)
        #expect(notice == .salvaged)
        #expect(try await store.read { try $0.outboxItems() }.isEmpty)
        await store.close()
        #expect(FileManager.default.fileExists(atPath: path + ".broken"))
    }

    @Test("A salvage that was interrupted starts over")
    func interrupted() async throws {
        try await fill()
        let pages = try pages(of: "messages")
        try overwrite(page: pages[pages.count / 2])
        try file.markDamaged()
        try Data("half a salvage".utf8).write(to: URL(fileURLWithPath: path + ".salvaged"))
        let (store, notice) = try await file.open(account: Samples.anna)
        #expect(notice == .salvaged)
        try await expectNothingOfOursLost(store)
        await store.close()
    }
}

extension Store {
    /// The chat may have been on the page that was lost.
    fileprivate func insertOrFindChat(at now: Timestamp) async throws {
        _ = try await store(Samples.conversation(), at: now)
    }
}

// Field case 68
@Suite("One database an account")
struct AccountTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test("Another account cannot open it, and what waits in it is never that account's")
    func otherAccount() async throws {
        let file = StoreFile(path: directory.file("anna.db").path)
        let (store, _) = try await file.open(account: Samples.anna)
        _ = try await store.store(Samples.conversation(), at: Samples.noon)
        try await store.insertPending(Samples.draft(1), at: Samples.noon)
        await store.close()
        await #expect(throws: StoreError.otherAccount) { _ = try await file.open(account: Samples.ben) }
        let (again, _) = try await file.open(account: Samples.anna)
        #expect(try await again.read { try $0.outboxItems() }.count == 1)
        await again.close()
    }

    @Test("Removing leaves no file behind, nor what a repair kept")
    func removed() async throws {
        let path = directory.file("anna.db").path
        let file = StoreFile(path: path)
        try Data("no database".utf8).write(to: URL(fileURLWithPath: path))
        let (store, _) = try await file.open(account: Samples.anna)
        _ = try await store.store(Samples.conversation(), at: Samples.noon)
        try await store.insertPending(Samples.draft(1, "secret"), at: Samples.noon)
        try await store.setDraft("secret", in: Samples.chat, at: Samples.noon)
        await store.close()
        try file.markDamaged()
        try file.remove()
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path).isEmpty)
        let (fresh, notice) = try await file.open(account: Samples.ben)
        #expect(notice == nil)
        #expect(try await fresh.read { try $0.chats(archived: nil, now: Samples.noon) }.isEmpty)
        #expect(try await fresh.read { try $0.outboxItems() }.isEmpty)
        #expect(try await fresh.draft(in: Samples.chat) == "")
        await fresh.close()
    }

    @Test("The file is readable by its owner alone")
    func permissions() async throws {
        let path = directory.file("anna.db").path
        let (store, _) = try await StoreFile(path: path).open(account: Samples.anna)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        await store.close()
    }
}
