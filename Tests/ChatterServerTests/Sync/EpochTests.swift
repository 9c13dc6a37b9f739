import ChatterModel
import ChatterServer
import ChatterTestSupport
import Foundation
import SQLite
import Testing

/// What a server that was set back to a backup says to devices that saw later numbers.
@Suite("A server set back to a backup", .timeLimit(.minutes(5)))
struct EpochTests {
    private let two: TwoFriends
    private let directory: TemporaryDirectory
    private let backup: URL

    /// Three messages, a backup, and three more.
    init() async throws {
        two = try await TwoFriends()
        directory = try TemporaryDirectory()
        backup = directory.file("backup.db")
        for number in 1...3 { _ = try await two.alice.send("\(number)", in: two.chat) }
        try await two.server.server.backup(to: backup.path)
        for number in 4...6 { _ = try await two.alice.send("\(number)", in: two.chat) }
    }

    private func restored() async throws -> TestServer {
        await two.server.stop()
        return try await two.server.restored(from: backup)
    }

    private func epoch(_ device: TestDevice) throws -> ID<Epoch>? {
        guard case .sessionReady(let ready)? = try device.connect().events.first else { return nil }
        return ready.epoch
    }

    @Test("It greets with another epoch than before, and each restore of one backup with a new one")
    func greeting() async throws {
        let before = try epoch(two.alice)
        #expect(try epoch(two.bob) == before)
        let first = try await restored()
        let second = try await two.server.restored(from: backup)
        let epochs = [before, try epoch(two.alice.on(first)), try epoch(two.alice.on(second))]
        #expect(Set(epochs.compactMap(\.self)).count == 3)
        await first.stop()
        await second.stop()
    }

    @Test("A restart without a restore goes on with its epoch")
    func restart() async throws {
        let server = try await restored()
        let before = try epoch(two.alice.on(server))
        await server.stop()
        let again = try await two.server.restored(from: server.databaseFile)
        #expect(try epoch(two.alice.on(again)) == before)
        await again.stop()
    }

    @Test("The backup holds no epoch, whichever way it was made; the database keeps its own")
    func backups() async throws {
        let server = try await restored()
        let file = server.databaseFile
        let other = directory.file("by command.db")
        let data = DataDirectory(path: file.deletingLastPathComponent().path)
        try data.backup(to: other.path)
        for (path, count) in [(backup, 0), (other, 0), (file, 1)] {
            let database = try Database(path: path.path, mode: .readOnly)
            #expect(try database.first("SELECT count(*) FROM epochs") { $0.int(0) } == count)
            database.close()
        }
        await server.stop()
    }

    @Test("A cursor of another epoch is refused with START_OVER, and from the beginning everything comes")
    func cursor() async throws {
        let cursor = try await two.bob.syncAll().cursor
        let server = try await restored()
        let bob = two.bob.on(server)
        await refused(.startOver) { try await bob.call(Routes.sync, query: ["since": cursor]) }
        await refused(.startOver) {
            try await bob.call(Routes.conversations, query: ["updatedSince": cursor])
        }
        let page = try await bob.syncAll()
        #expect(page.conversations.map(\.lastSeq) == [3])
        await server.stop()
    }

    @Test("A cursor beyond what this epoch has given out, or from before there were epochs, is refused too")
    func impossibleCursor() async throws {
        let cursor = try await two.bob.syncAll().cursor
        let epoch = try #require(cursor.split(separator: ".").last)
        for impossible in ["pzzzzzz.\(epoch)", "p1", "p1."] {
            await refused(.startOver) { try await two.bob.call(Routes.sync, query: ["since": impossible]) }
        }
        for nonsense in ["p-1.\(epoch)", "q", ".\(epoch)"] {
            await refused(.validationFailed) {
                try await two.bob.call(Routes.sync, query: ["since": nonsense])
            }
        }
        await two.server.stop()
    }

    @Test("Who holds more than was ever given out is told to start over, in the same epoch as well")
    func heldTooMuch() async throws {
        for held in [SyncRequest.Held(seq: 7, change: 6), SyncRequest.Held(seq: 6, change: 7)] {
            let live = try two.bob.connect()
            try live.send(.syncRequest(SyncRequest(conversations: [two.chat: held])), id: "sync")
            let error = await live.next { $0.error }
            #expect(error.code == ErrorCode.startOver.rawValue)
            #expect(live.frames.last?.id == "sync")
            #expect(live.frames.allSatisfy { $0.event.message == nil })
        }
        await two.server.stop()
    }

    @Test("A call that names another epoch is refused before anything is done for it")
    func header() async throws {
        let epoch = try #require(try epoch(two.alice)).rawValue
        let body = try Wire.encode(
            NewMessage(clientMessageID: ClientMessageID.new(), body: "for another history"))
        let path = "/v1/conversations/\(two.chat)/messages"
        let refused = await two.alice.caller.send("POST", path, headers: ["x-epoch": "another"], body: body)
        #expect(refused.status == 412)
        #expect(try refused.apiError.code == .startOver)
        #expect(try await two.bob.messages(two.chat).messages.count == 6)
        let accepted = await two.alice.caller.send("POST", path, headers: ["x-epoch": epoch], body: body)
        #expect(accepted.status == 200)
        await two.server.stop()
    }

    // Field case 49
    @Test("Who refreshed after the backup stays signed in; a token of before is then a replay")
    func tokens() async throws {
        var bob = two.bob
        let old = bob.refreshToken
        for _ in 1...3 {
            bob = try await bob.refreshed()
            _ = try await bob.call(Routes.me)
        }
        let server = try await restored()
        bob = try await bob.on(server).refreshed()
        #expect(try await bob.call(Routes.me).id == bob.user)
        bob = try await bob.refreshed()
        _ = try await bob.call(Routes.me)
        await refused(.refreshRejected) {
            try await server.anonymous.call(Routes.refresh, body: RefreshTokens(refreshToken: old))
        }
        await server.stop()
    }

    @Test("A message sent again under its id is stored once: what was lost anew, what was kept as at first")
    func sentAgain() async throws {
        let kept = ClientMessageID.new()
        let lost = ClientMessageID.new()
        let first = try await two.alice.send("kept", in: two.chat, as: kept)
        try await two.server.server.backup(to: backup.path)
        _ = try await two.alice.send("lost", in: two.chat, as: lost)
        let server = try await restored()
        let alice = two.alice.on(server)
        #expect(try await alice.send("kept", in: two.chat, as: kept) == first)
        let again = try await alice.send("lost", in: two.chat, as: lost)
        #expect(again.seq == first.seq + 1)
        #expect(try await alice.send("lost", in: two.chat, as: lost) == again)
        await server.stop()
    }
}
