import ChatterModel
import ChatterTestSupport
import Testing

@Suite("Receipts", .timeLimit(.minutes(5)))
struct ReceiptTests {
    private func receipt(
        _ delivered: Int64, _ read: Int64, of person: TestDevice, in two: TwoFriends
    ) -> Receipt {
        // The server's clock stands still.
        let now = two.server.clock.now
        return Receipt(
            conversationID: two.chat, userID: person.user, lastDeliveredSeq: delivered, lastReadSeq: read,
            deliveredAt: delivered > 0 ? now : nil, readAt: read > 0 ? now : nil)
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
    @Test("Only own reads and deletions lower the count")
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
        #expect(try await unread() == 1)
        _ = try await two.bob.mark(read: 4, in: two.chat)
        #expect(try await unread() == 0)
        await two.server.stop()
    }

    @Test("A send says nothing about what came before it, however far delivery has come")
    func sendReadsNothing() async throws {
        let two = try await TwoFriends()
        for number in 1...3 { _ = try await two.alice.send("\(number)", in: two.chat) }
        for delivered: Int64 in [1, 3] {
            _ = try await two.bob.mark(delivered: delivered, in: two.chat)
            let aliceLive = try two.alice.connect()
            await two.server.hush(aliceLive)
            _ = try await two.bob.send("written in the tunnel", in: two.chat)
            #expect(aliceLive.take().map(\.type) == ["message.new"])
            let seen = try await two.alice.conversation(two.chat).other(than: two.alice)
            #expect(seen?.lastDeliveredSeq == delivered && seen?.lastReadSeq == 0)
            #expect(try await two.bob.conversation(two.chat).unreadCount == 3)
        }
        // Not even once everything up to it has been delivered.
        _ = try await two.bob.mark(delivered: 5, in: two.chat)
        #expect(try await two.bob.conversation(two.chat).unreadCount == 3)
        #expect(try await two.bob.mark(read: 3, in: two.chat) == receipt(5, 3, of: two.bob, in: two))
        await two.server.stop()
    }

    @Test("Own messages are never unread, and what comes after them is")
    func ownMessages() async throws {
        let two = try await TwoFriends()
        for number in 1...3 { _ = try await two.bob.send("\(number)", in: two.chat) }
        #expect(try await two.bob.conversation(two.chat).unreadCount == 0)
        _ = try await two.alice.send("4", in: two.chat)
        _ = try await two.bob.send("5", in: two.chat)
        #expect(try await two.bob.conversation(two.chat).unreadCount == 1)
        _ = try await two.bob.mark(read: 4, in: two.chat)
        #expect(try await two.bob.conversation(two.chat).unreadCount == 0)
        await two.server.stop()
    }

    @Test("Who reads and then answers is seen to do it in this order")
    func readThenAnswer() async throws {
        let two = try await TwoFriends()
        _ = try await two.alice.send("a question", in: two.chat)
        let (bobLive, aliceLive) = (try two.bob.connect(), try two.alice.connect())
        await two.server.hush(bobLive, aliceLive)
        _ = try await bobLive.exchange(.receiptRead(Watermark(conversationID: two.chat, seq: 1)))
        _ = try await bobLive.say("an answer", in: two.chat)
        #expect(aliceLive.take().map(\.type) == ["receipt.updated", "message.new"])
        await two.server.stop()
    }

    @Test("Two devices read by turns: the mark is one, and a send on either moves it on neither")
    func twoDevices() async throws {
        let two = try await TwoFriends()
        let second = try await two.secondDevice(of: two.bob)
        for number in 1...4 { _ = try await two.alice.send("\(number)", in: two.chat) }
        var read: Int64 = 0
        for (device, mark) in [(two.bob, 2), (second, 1), (second, 3), (two.bob, 2), (two.bob, 4)] {
            _ = try await device.send("meanwhile", in: two.chat)
            read = max(read, Int64(mark))
            let marks = try await device.mark(read: Int64(mark), in: two.chat)
            #expect(marks.lastReadSeq == read)
            for device in [two.bob, second] {
                #expect(try await device.conversation(two.chat).unreadCount == Int(4 - read))
            }
        }
        await two.server.stop()
    }
}
