import ChatterModel
import Testing

@testable import ChatterClient

@Suite("Records of conversations")
struct ConversationRecordTests {
    @Test("A record met for the first time says how far the server is, and loads nothing")
    func adopted() async throws {
        let bench = try await StoreBench(
            conversations: [
                Samples.conversation(
                    lastSeq: 500, lastChange: 620, unread: 3, myRead: 497,
                    lastMessage: Samples.message(500, change: 610))
            ])
        let sync = try await bench.sync()
        #expect(sync.held == SyncRequest.Held(seq: 500, change: 620))
        #expect(sync.floor == 500)
        #expect(try await bench.unread() == 3)
        #expect(try await bench.content().hasOlder)
    }

    @Test("An older record changes neither title nor settings, and no watermark goes back")
    func olderRecord() async throws {
        let bench = try await StoreBench(
            conversations: [
                Samples.conversation(
                    lastSeq: 5, version: 8, peerDelivered: 5, peerRead: 4,
                    settings: ConversationSettings(pinned: true))
            ])
        _ = try await bench.store.store(
            Samples.conversation(lastSeq: 3, version: 2, peerDelivered: 2), at: bench.now)
        let watermarks = try await bench.store.read { try $0.watermarks(in: Samples.chat) }
        #expect(watermarks.others == [Watermarks.Member(delivered: 5, read: 4)])
        #expect(try await bench.chat().isPinned)
        #expect(try await bench.sync().lastSeq == 5)
    }

    @Test("An older record with newer watermarks still moves them")
    func olderRecordMoves() async throws {
        let bench = try await StoreBench(conversations: [Samples.conversation(lastSeq: 5, version: 8)])
        _ = try await bench.store.store(
            Samples.conversation(lastSeq: 5, version: 2, peerDelivered: 4, peerRead: 3), at: bench.now)
        let watermarks = try await bench.store.read { try $0.watermarks(in: Samples.chat) }
        #expect(watermarks.others == [Watermarks.Member(delivered: 4, read: 3)])
    }

    @Test("A record that is ahead asks for what is missing")
    func ahead() async throws {
        let bench = try await StoreBench()
        let outcome = try await bench.store.store(
            Samples.conversation(lastSeq: 9, version: 3, lastMessage: Samples.message(9)), at: bench.now)
        #expect(outcome.standings[Samples.chat]?.need == .changes(after: 0))
        #expect(try await bench.content().holes == [SeqRange(from: 1, to: 8)])
    }

    @Test("The cursor is there with its records or not at all")
    func cursorWithRecords() async throws {
        let bench = try await StoreBench()
        var broken = Samples.conversation(lastSeq: 3, version: 4)
        broken.lastMessage = Samples.message(3)
        broken.lastMessage?.seq = -3
        let page = SyncPage(
            cursor: "next", hasMore: false, serverTime: Samples.noon, friends: [Samples.friend()],
            conversations: [broken])
        await #expect(throws: (any Error).self) { _ = try await bench.store.applySync(page, at: bench.now) }
        #expect(try await bench.store.syncCursor() == nil)
        #expect(try await bench.store.read { try $0.friends() }.isEmpty)
        var whole = page
        whole.conversations = []
        _ = try await bench.store.applySync(whole, at: bench.now)
        #expect(try await bench.store.syncCursor() == "next")
    }

    @Test("A conversation that the server does not know any more leaves the list and keeps its messages")
    func gone() async throws {
        let bench = try await StoreBench()
        try await bench.receive((1...2).messages())
        let asked = [Samples.chat: SyncRequest.Held(seq: 2, change: 2)]
        _ = try await bench.store.apply(
            [.completed(SyncComplete(conversations: [:]), asked: asked, isWhole: true)], at: bench.now)
        #expect(try await bench.chats().isEmpty)
        #expect(try await bench.content().header.composer == .gone)
        #expect(try await bench.content().items.count == 2)
        _ = try await bench.store.store(Samples.conversation(lastSeq: 2, version: 9), at: bench.now)
        #expect(try await bench.chats().count == 1)
    }

    @Test("The direct chat with somebody is found without the server")
    func direct() async throws {
        let bench = try await StoreBench()
        #expect(try await bench.store.read { try $0.directConversation(with: Samples.ben) } == Samples.chat)
        #expect(try await bench.store.read { try $0.directConversation(with: Samples.anna) } == nil)
    }

    @Test("Messages that never reach a blocker keep one tick, those after do not")
    func undelivered() async throws {
        let bench = try await StoreBench(
            conversations: [
                Samples.conversation(
                    lastSeq: 3, myRead: 3, peerDelivered: 3, peerRead: 3,
                    undelivered: [SeqRange(from: 2, to: 2)])
            ])
        let own = (Int64(1)...3).map { Samples.echo(Samples.draft($0), seq: $0) }
        try await bench.merge(Samples.page(own), asked: .newest)
        #expect(try await bench.content().items.map(\.status) == [.read, .sent, .read])
    }
}

// Field case 46
@Suite("Ticks in a group")
struct WatermarksTests {
    @Test("Delivered and read mean everybody who was there")
    func group() {
        func status(_ members: [Watermarks.Member]) -> DeliveryStatus {
            Watermarks(others: members).status(of: 10)
        }
        let reads: [Int64] = [10, 12, 9]
        let members = reads.map { Watermarks.Member(delivered: 12, read: $0) }
        #expect(status(members) == .delivered)
        let left = Array(members.prefix(2))
        #expect(status(left) == .read)
        let joined = left + [Watermarks.Member(delivered: 0, read: 0, joined: 13)]
        #expect(status(joined) == .read)
        #expect(status(members + [Watermarks.Member(delivered: 9, read: 9)]) == .sent)
        #expect(status([]) == .sent)
    }
}
