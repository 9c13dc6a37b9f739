import ChatterModel
import ChatterTestSupport
import Foundation
import SQLite
import Testing

@testable import ChatterClient

@Suite("A database that fails", .timeLimit(.minutes(5)))
struct StorageTests {
    @Test("A screen whose read fails goes on by itself; meanwhile the storage says that it fails")
    func readFails() async throws {
        let scene = try await ChatScene()
        // Nobody else sleeps on the clock.
        await scene.bob.client.close()
        try await scene.ann.relaunch(start: false)
        let pool = try await scene.ann.client.keeper.current().store.pool
        let screen = Task {
            try await scene.ann.client.conversations.chats().first("pinned") { $0.first?.isPinned == true }
        }
        try await pool.withWriter { database in
            try database.execute(
                script: "ALTER TABLE drafts RENAME TO away; UPDATE conversations SET pinned = 1")
        }
        let failing = try await scene.ann.client.storage.first("failing") { $0 != .sound }
        guard case .failing(let error) = failing, error.kind == .storage(isTransient: false) else {
            Issue.record("\(failing)")
            return
        }
        try await pool.withWriter { try $0.execute(script: "ALTER TABLE away RENAME TO drafts") }
        await scene.scenario.clock.advanceToNextSleeper()
        _ = try await screen.value
        #expect(try await scene.ann.client.storage.first("state") { _ in true } == .sound)
        await scene.stop()
    }

    // Field case 67
    @Test("A damaged file: the person is told, what waits survives, and history comes again, nothing doubled")
    func damagedFile() async throws {
        let scene = try await ChatScene()
        let texts = (1...120).map { "\($0) " + String(repeating: "text ", count: 60) }
        for text in texts { try await scene.bob.say(text, in: scene.chat) }
        _ = try await scene.ann.conversation(scene.chat) { $0.items.last?.body == texts.last }
        scene.ann.goOffline()
        try await scene.ann.say("waiting", in: scene.chat)
        try await scene.ann.client.conversations.setDraft("half a sentence", in: scene.chat)
        await scene.ann.client.close()
        try await scene.ann.damageNewestMessages()

        // Opening reads little; the first look at the chat finds it.
        try await scene.ann.relaunch(start: false)
        let screen = Task { for await _ in scene.ann.client.messages.conversation(scene.chat) {} }
        _ = try await scene.ann.client.storage.first("damaged") { $0 == .damaged }
        screen.cancel()

        scene.ann.goOnline()
        try await scene.ann.relaunch()
        #expect(try await scene.ann.client.storage.first("notice") { _ in true } == .salvaged)
        try await scene.ann.connection(is: .online)
        try await scene.ann.settle()
        #expect(try await scene.ann.client.conversations.draft(in: scene.chat) == "half a sentence")
        while try await scene.ann.client.messages.loadOlder(scene.chat) {}
        try await scene.ann.sees(texts + ["waiting"], in: scene.chat)
        _ = try await scene.bob.conversation(scene.chat) { $0.items.last?.body == "waiting" }
        while try await scene.bob.client.messages.loadOlder(scene.chat) {}
        try await scene.bob.sees(texts + ["waiting"], in: scene.chat)

        // Told once.
        try await scene.ann.relaunch()
        #expect(try await scene.ann.client.storage.first("state") { _ in true } == .sound)
        await scene.stop()
    }
}

extension TestClient {
    /// Overwrites the last page of the table while nobody has the file open.
    fileprivate func damageNewestMessages() async throws {
        guard let account = accounts.first else { throw Scenario.Failure("no account") }
        let file = directory.file("profile/accounts/\(account)/messages.db")
        let database = try Database(path: file.path, mode: .readOnly)
        // In the order of the table: the last one holds the newest rows.
        let pages = try database.all(
            "SELECT pageno FROM dbstat WHERE name = 'messages' AND pagetype = 'leaf' ORDER BY path"
        ) { $0.int(0) }
        database.close()
        guard let page = pages.last else { throw Scenario.Failure("no page") }
        let handle = try FileHandle(forUpdating: file)
        try handle.seek(toOffset: UInt64((page - 1) * 4096))
        try handle.write(contentsOf: Data(repeating: 0xA5, count: 4096))
        try handle.close()
    }
}
