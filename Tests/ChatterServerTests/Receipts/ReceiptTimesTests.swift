import ChatterModel
import ChatterTestSupport
import SQLite
import Testing

@testable import ChatterServer

@Suite("When a watermark moved", .timeLimit(.minutes(5)))
struct ReceiptTimesTests {
    private let two: TwoFriends

    /// Four messages of Alice's.
    init() async throws {
        two = try await TwoFriends()
        for number in 1...4 { _ = try await two.alice.send("\(number)", in: two.chat) }
    }

    /// What the two times are, in minutes since `start`.
    private func minutes(_ times: (Timestamp?, Timestamp?), since start: Timestamp) -> [Int64?] {
        [times.0, times.1].map { time in time.map { ($0.milliseconds - start.milliseconds) / 60_000 } }
    }

    private func member() async throws -> Member? {
        try await two.alice.conversation(two.chat).other(than: two.alice)
    }

    @Test("Each move leaves its time, a repetition leaves the first, and reading is also delivery")
    func moves() async throws {
        let start = two.server.clock.now
        func mark(delivered: Int64? = nil, read: Int64? = nil) async throws -> [Int64?] {
            two.server.clock.advance(by: .seconds(60))
            let receipt = try await two.bob.mark(delivered: delivered, read: read, in: two.chat)
            return minutes((receipt.deliveredAt, receipt.readAt), since: start)
        }
        #expect(try await mark(delivered: 2) == [1, nil])
        #expect(try await mark(delivered: 2) == [1, nil])
        #expect(try await mark(read: 1) == [1, 3])
        #expect(try await mark(read: 3) == [4, 4])
        #expect(try await mark(delivered: 4) == [5, 4])
        #expect(try await mark(delivered: 9, read: 2) == [5, 4])
        let seen = try await member()
        #expect(minutes((seen?.deliveredAt, seen?.readAt), since: start) == [5, 4])
        await two.server.stop()
    }

    @Test("The event carries the times, and so does the sync of who was away")
    func told() async throws {
        let cursor = try await two.alice.syncAll().cursor
        let live = try two.alice.connect()
        await two.server.hush(live)
        let receipt = try await two.bob.mark(read: 4, in: two.chat)
        #expect(receipt.readAt == two.server.clock.now && receipt.deliveredAt == receipt.readAt)
        #expect(live.take().compactMap(\.receipt) == [receipt])
        two.server.clock.advance(by: .seconds(3600))
        let found = try await two.alice.refreshed().syncAll(since: cursor).conversations
        #expect(found.first?.other(than: two.alice)?.readAt == receipt.readAt)
        await two.server.stop()
    }

    @Test("Behind a block the times stand still with their watermarks; after it they are those of now")
    func blocked() async throws {
        let before = try await two.bob.mark(delivered: 4, in: two.chat)
        _ = try await two.bob.block(two.alice)
        two.server.clock.advance(by: .seconds(60))
        let live = try two.alice.connect()
        await two.server.hush(live)
        let unseen = try await two.bob.mark(read: 4, in: two.chat)
        let during = try await member()
        #expect(during?.deliveredAt == before.deliveredAt && during?.readAt == nil)
        #expect(live.take().compactMap(\.receipt).isEmpty)
        try await two.bob.unblock(two.alice)
        #expect(try await member()?.readAt == unseen.readAt)
        await two.server.stop()
    }

    @Test("A block before anything was delivered keeps back when it was delivered")
    func blockedBefore() async throws {
        _ = try await two.bob.block(two.alice)
        _ = try await two.bob.mark(read: 4, in: two.chat)
        let seen = try await member()
        #expect(seen?.lastReadSeq == 0 && seen?.deliveredAt == nil && seen?.readAt == nil)
        await two.server.stop()
    }

    @Test("Watermarks of before there were times have none, and their next move has one")
    func upgraded() async throws {
        await two.server.stop()
        let directory = try TemporaryDirectory()
        let path = directory.file("chatter.db").path
        let two = try await TwoFriends { $0.databasePath = path }
        for number in 1...3 { _ = try await two.alice.send("\(number)", in: two.chat) }
        _ = try await two.bob.mark(delivered: 2, read: 1, in: two.chat)
        let database = try Database(path: path, mode: .readWrite)
        // As the migration leaves them.
        try database.run("UPDATE members SET delivered_at = NULL, read_at = NULL")
        database.close()
        let old = try await two.alice.conversation(two.chat).other(than: two.alice)
        #expect(old?.lastDeliveredSeq == 2 && old?.deliveredAt == nil && old?.readAt == nil)
        let moved = try await two.bob.mark(read: 2, in: two.chat)
        #expect(moved.deliveredAt == nil && moved.readAt == two.server.clock.now)
        await two.server.stop()
    }
}
