import ChatterModel
import ChatterTestSupport
import Testing

@Suite("Receipts", .timeLimit(.minutes(1)))
struct ReceiptTests {
    private func receipt(
        _ delivered: Int64, _ read: Int64, of person: TestDevice, in two: TwoFriends
    ) -> Receipt {
        Receipt(
            conversationID: two.chat, userID: person.user, lastDeliveredSeq: delivered, lastReadSeq: read)
    }

    @Test("Watermarks only move forward and never past the newest message; read implies delivered")
    func forwardOnly() async throws {
        let two = try await TwoFriends()
        for number in 1...5 { _ = try await two.alice.send("\(number)", in: two.chat) }
        #expect(try await two.bob.mark(delivered: 3, in: two.chat) == receipt(3, 0, of: two.bob, in: two))
        #expect(try await two.bob.mark(delivered: 1, in: two.chat) == receipt(3, 0, of: two.bob, in: two))
        #expect(try await two.bob.mark(read: 4, in: two.chat) == receipt(4, 4, of: two.bob, in: two))
        #expect(try await two.bob.mark(read: 2, in: two.chat) == receipt(4, 4, of: two.bob, in: two))
        #expect(
            try await two.bob.mark(delivered: 5, read: 1, in: two.chat) == receipt(5, 4, of: two.bob, in: two)
        )
        #expect(try await two.bob.mark(read: 99, in: two.chat) == receipt(5, 5, of: two.bob, in: two))
        #expect(try await two.bob.mark(read: -7, in: two.chat) == receipt(5, 5, of: two.bob, in: two))
        await refused(.validationFailed) { try await two.bob.mark(in: two.chat) }
        let member = try await two.alice.conversation(two.chat).other(than: two.alice)
        #expect(member?.lastDeliveredSeq == 5 && member?.lastReadSeq == 5)
        await two.server.stop()
    }

    @Test("By socket each mark is answered; the sender hears what moved, own devices only of reads")
    func bySocket() async throws {
        let two = try await TwoFriends()
        let second = try await two.secondDevice(of: two.bob)
        _ = try await two.alice.send("one", in: two.chat)
        let (bobLive, secondLive) = (try two.bob.connect(), try second.connect())
        let aliceLive = try two.alice.connect()
        await two.server.hush(aliceLive, secondLive, bobLive)
        let mark = Watermark(conversationID: two.chat, seq: 1)
        let delivered = receipt(1, 0, of: two.bob, in: two)
        #expect(
            try await bobLive.exchange(.receiptDelivered(mark), id: "d")
                == [ServerFrame(.receiptUpdated(delivered), id: "d")])
        #expect(aliceLive.take() == [.receiptUpdated(delivered)])
        #expect(secondLive.take().isEmpty)
        let read = receipt(1, 1, of: two.bob, in: two)
        #expect(
            try await bobLive.exchange(.receiptRead(mark), id: "r")
                == [ServerFrame(.receiptUpdated(read), id: "r")])
        #expect(aliceLive.take() == [.receiptUpdated(read)])
        #expect(secondLive.take() == [.receiptUpdated(read)])
        // Nothing moves: the asker is answered, nobody else hears.
        #expect(
            try await bobLive.exchange(.receiptDelivered(mark), id: "again")
                == [ServerFrame(.receiptUpdated(read), id: "again")])
        #expect(aliceLive.take().isEmpty && secondLive.take().isEmpty)
        let elsewhere = Watermark(conversationID: ID("elsewhere"), seq: 1)
        let error = try await bobLive.exchange(.receiptRead(elsewhere), id: "e").first
        #expect(error?.id == "e" && error?.event.error?.code == ErrorCode.notFound.rawValue)
        await two.server.stop()
    }

    @Test("A device that was away finds both sides' watermarks in the sync")
    func bySync() async throws {
        let two = try await TwoFriends()
        _ = try await two.alice.send("one", in: two.chat)
        let aliceCursor = try await two.alice.syncAll().cursor
        let second = try await two.secondDevice(of: two.bob)
        let bobCursor = try await second.syncAll().cursor
        _ = try await two.bob.mark(read: 1, in: two.chat)
        let seenByAlice = try await two.alice.syncAll(since: aliceCursor).conversations
        #expect(seenByAlice.first?.other(than: two.alice)?.lastReadSeq == 1)
        let seenBySecond = try await second.syncAll(since: bobCursor).conversations
        #expect(seenBySecond.first?.own(second)?.lastReadSeq == 1)
        #expect(seenBySecond.first?.unreadCount == 0)
        await two.server.stop()
    }

    // Field case 42
    @Test("The unread total follows the watermarks, whichever device read")
    func badge() async throws {
        let two = try await TwoFriends()
        let second = try await two.secondDevice(of: two.bob)
        for number in 1...4 { _ = try await two.alice.send("\(number)", in: two.chat) }
        #expect(try await two.bob.badge() == 4)
        _ = try await second.mark(read: 4, in: two.chat)
        #expect(try await two.bob.badge() == 0)
        _ = try await two.alice.send("5", in: two.chat)
        #expect(try await two.bob.badge() == 1)
        #expect(try await second.badge() == 1)
        _ = try await two.bob.mark(read: 5, in: two.chat)
        #expect(try await second.badge() == 0)
        await two.server.stop()
    }

    // Field case 44
    @Test("After 111 were read, one more message makes one unread")
    func oneMore() async throws {
        let two = try await TwoFriends()
        for number in 1...111 { _ = try await two.alice.send("\(number)", in: two.chat) }
        #expect(try await two.bob.conversation(two.chat).unreadCount == 111)
        _ = try await two.bob.mark(read: 111, in: two.chat)
        _ = try await two.alice.send("112", in: two.chat)
        #expect(try await two.bob.conversation(two.chat).unreadCount == 1)
        await two.server.stop()
    }

    // Field case 45
    @Test("Only own reads, deletions and one's own answer lower the count")
    func whatLowers() async throws {
        let two = try await TwoFriends()
        var acks: [MessageAck] = []
        for number in 1...4 { acks.append(try await two.alice.send("\(number)", in: two.chat)) }
        func unread() async throws -> Int { try await two.bob.conversation(two.chat).unreadCount }
        _ = try await two.alice.call(Routes.editProfile, body: EditProfile(about: "new"))
        _ = try await two.alice.mark(read: 4, in: two.chat)
        _ = try await two.bob.edit(EditSettings(pinned: true), of: two.chat)
        _ = try await two.bob.mark(delivered: 4, in: two.chat)
        _ = try await two.bob.syncAll()
        #expect(try await unread() == 4)
        _ = try await two.alice.delete(acks[0].id, .everyone)
        #expect(try await unread() == 3)
        _ = try await two.bob.delete(acks[1].id, .me)
        #expect(try await unread() == 2)
        _ = try await two.bob.mark(read: 3, in: two.chat)
        #expect(try await unread() == 1)
        _ = try await two.bob.send("answer", in: two.chat)
        #expect(try await unread() == 0)
        await two.server.stop()
    }

    @Test("Whoever answers has read what had been delivered to them, and the other is told once")
    func answering() async throws {
        let two = try await TwoFriends()
        for number in 1...3 { _ = try await two.alice.send("\(number)", in: two.chat) }
        let aliceLive = try two.alice.connect()
        _ = try await two.bob.mark(delivered: 3, in: two.chat)
        _ = aliceLive.take()
        _ = try await two.bob.send("answer", in: two.chat)
        #expect(aliceLive.take().compactMap(\.receipt) == [receipt(4, 4, of: two.bob, in: two)])
        // One's own messages in a row are nothing that the other could have missed.
        _ = try await two.bob.send("and more", in: two.chat)
        #expect(aliceLive.take().compactMap(\.receipt).isEmpty)
        await two.server.stop()
    }

    @Test("A message that was queued offline does not mark as read what its sender never got")
    func answeringUnseen() async throws {
        let two = try await TwoFriends()
        for number in 1...3 { _ = try await two.alice.send("\(number)", in: two.chat) }
        _ = try await two.bob.mark(delivered: 1, in: two.chat)
        let aliceLive = try two.alice.connect()
        _ = aliceLive.take()
        _ = try await two.bob.send("written in the tunnel", in: two.chat)
        #expect(aliceLive.take().compactMap(\.receipt) == [receipt(1, 1, of: two.bob, in: two)])
        #expect(try await two.bob.conversation(two.chat).unreadCount == 2)
        _ = try await two.bob.mark(delivered: 4, in: two.chat)
        #expect(try await two.bob.conversation(two.chat).unreadCount == 2)
        await two.server.stop()
    }
}
