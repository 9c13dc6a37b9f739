import ChatterModel
import ChatterTestSupport
import Testing

@Suite("Two devices of one person", .timeLimit(.minutes(5)))
struct TwoDevicesTests {
    @Test("Sends, reads, mutes and deletions of one appear on the other, live")
    func live() async throws {
        let two = try await TwoFriends()
        let second = try await two.secondDevice(of: two.alice)
        let (first, other) = (try two.alice.connect(), try second.connect())
        let incoming = try await two.bob.send("hello", in: two.chat)
        await two.server.hush(first, other)

        let sent = try #require(try await first.say("hi", in: two.chat).event.ack)
        #expect(other.take().compactMap(\.message).map(\.id) == [sent.id])
        _ = try await first.exchange(.receiptRead(Watermark(conversationID: two.chat, seq: 2)))
        #expect(other.take().compactMap(\.receipt).map(\.lastReadSeq) == [2])
        _ = try await two.alice.edit(EditSettings(mutedUntil: .distantFuture), of: two.chat)
        #expect(other.take().compactMap(\.conversation).map(\.settings.mutedUntil) == [.distantFuture])
        _ = try await two.alice.delete(incoming.id, .me)
        #expect(other.take().compactMap(\.message).map(\.hidden) == [true])
        _ = try await two.alice.delete(sent.id, .everyone)
        #expect(other.take().compactMap(\.message).map(\.body) == [""])
        await two.server.stop()
    }

    @Test("A device that was away is repaired by the sync and the stream alone")
    func away() async throws {
        let two = try await TwoFriends()
        let second = try await two.secondDevice(of: two.alice)
        let kept = try await two.bob.send("kept", in: two.chat)
        let toHide = try await two.bob.send("to hide", in: two.chat)
        let toErase = try await two.alice.send("to erase", in: two.chat)
        var cursor = try await second.syncAll().cursor
        let held = SyncRequest.Held(seq: 3, change: 3)

        _ = try await two.alice.send("while away", in: two.chat)
        _ = try await two.alice.mark(read: 4, in: two.chat)
        _ = try await two.alice.edit(EditSettings(archived: true, pinned: true), of: two.chat)
        _ = try await two.alice.delete(toHide.id, .me)
        _ = try await two.alice.delete(toErase.id, .everyone)

        let live = try second.connect()
        let events = try await live.sync([two.chat: held])
        #expect(events.map(\.type).filter { $0.hasPrefix("message.") } == ["message.new", "message.updated"])
        #expect(events.compactMap(\.message).map(\.body) == ["while away", ""])
        let page = try await second.syncAll(since: cursor)
        #expect(page.hiddenMessages.map(\.messageID) == [toHide.id])
        let conversation = try #require(page.conversations.first)
        #expect(conversation.own(second)?.lastReadSeq == 4)
        #expect(conversation.settings == ConversationSettings(archived: true, pinned: true))
        #expect(try await two.alice.conversation(two.chat) == conversation)
        cursor = page.cursor
        #expect(try await second.syncAll(since: cursor).conversations.isEmpty)
        _ = kept
        await two.server.stop()
    }
}
