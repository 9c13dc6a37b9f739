import ChatterModel
import ChatterTestSupport
import Testing

@Suite("Sending a message", .timeLimit(.minutes(5)))
struct SendTests {
    @Test("It is acked with the frame's id and reaches the peer and the sender's other devices, once each")
    func delivery() async throws {
        let two = try await TwoFriends()
        let second = try await two.secondDevice(of: two.alice)
        let (live, secondLive) = (try two.alice.connect(), try second.connect())
        let bobLive = try two.bob.connect()
        await two.server.hush(live, secondLive, bobLive)
        let frame = try await live.say("hello", in: two.chat)
        let ack = try #require(frame.event.ack)
        #expect(ack.seq == 1 && ack.change == 1 && ack.conversationID == two.chat)
        let expected = Message(
            id: ack.id, clientMessageID: ack.clientMessageID, conversationID: two.chat,
            senderID: two.alice.user, seq: 1, change: 1, body: "hello", createdAt: ack.createdAt)
        #expect(secondLive.take() == [.messageNew(expected)])
        #expect(bobLive.take() == [.messageNew(expected)])
        #expect(live.take().isEmpty)
        #expect(try await two.bob.messages(two.chat).messages == [expected])
        await two.server.stop()
    }

    @Test("A send by REST reaches every socket, the sender's own included")
    func byREST() async throws {
        let two = try await TwoFriends()
        let (live, bobLive) = (try two.alice.connect(), try two.bob.connect())
        await two.server.hush(live, bobLive)
        let ack = try await two.alice.send("hello", in: two.chat)
        #expect(live.take().compactMap(\.message).map(\.id) == [ack.id])
        #expect(bobLive.take().compactMap(\.message).map(\.id) == [ack.id])
        await two.server.stop()
    }

    // Field case 1
    @Test("A send repeated after each of three lost connections stays one message with its first answer")
    func lostAcks() async throws {
        let two = try await TwoFriends()
        let bobLive = try two.bob.connect()
        let id = ClientMessageID.new()
        var acks: [MessageAck] = []
        for _ in 1...4 {
            let live = try two.alice.connect()
            acks.append(try #require(try await live.say("only once", in: two.chat, as: id).event.ack))
            live.disconnect()
            two.server.clock.advance(by: .seconds(60))
        }
        #expect(Set(acks).count == 1)
        #expect(try await two.bob.messages(two.chat).messages.map(\.seq) == [1])
        #expect(bobLive.events.compactMap(\.message).count == 1)
        await two.server.stop()
    }

    // Field case 2
    @Test("A send whose answer came too late is answered the same when it is repeated by REST, a week later")
    func lateAnswer() async throws {
        let two = try await TwoFriends()
        let live = try two.alice.connect()
        let id = ClientMessageID.new()
        let message = SendMessage(clientMessageID: id, conversationID: two.chat, body: "slow")
        try live.send(.messageSend(message))
        live.disconnect()
        await two.server.settle()
        two.server.clock.advance(by: .seconds(7 * 86_400))
        let alice = try await two.alice.refreshed()
        async let first = alice.send("slow", in: two.chat, as: id)
        async let second = alice.send("slow", in: two.chat, as: id)
        let acks = try await [first, second]
        #expect(acks[0] == acks[1])
        let history = try await alice.messages(two.chat).messages
        #expect(history.map(\.id) == [acks[0].id])
        #expect(history.map(\.createdAt) == [acks[0].createdAt])
        await two.server.stop()
    }

    @Test("A clientMessageId is one message's for ever: not another text's, nor another chat's")
    func reusedID() async throws {
        let two = try await TwoFriends()
        let carol = try await two.server.signUp("carol")
        try await two.alice.befriend(carol)
        let other = try await two.alice.openChat(with: carol)
        let id = ClientMessageID.new()
        let ack = try await two.alice.send("caf\u{E9}", in: two.chat, as: id)
        await refused(.idReused) { try await two.alice.send("tea", in: two.chat, as: id) }
        await refused(.idReused) { try await two.alice.send("caf\u{E9}", in: other, as: id) }
        // The same to the eye, but not the same bytes.
        await refused(.idReused) { try await two.alice.send("cafe\u{301}", in: two.chat, as: id) }
        await refused(.idReused) {
            try await two.alice.send("caf\u{E9}", in: two.chat, as: id, replyTo: ack.id)
        }
        // Ids are unique per sender only.
        #expect(try await two.bob.send("tea", in: two.chat, as: id).seq == 2)
        #expect(try await two.alice.send("caf\u{E9}", in: two.chat, as: id) == ack)
        await two.server.stop()
    }

    @Test("A repetition is answered even when the message was deleted, the friendship ended or the peer left")
    func repeatedLater() async throws {
        let two = try await TwoFriends()
        let id = ClientMessageID.new()
        let ack = try await two.alice.send("secret", in: two.chat, as: id)
        _ = try await two.alice.delete(ack.id, .everyone)
        #expect(try await two.alice.send("secret", in: two.chat, as: id) == ack)
        await refused(.idReused) { try await two.alice.send("another", in: two.chat, as: id) }
        _ = try await two.bob.call(Routes.removeFriend, ["userId": two.alice.user.rawValue])
        #expect(try await two.alice.send("secret", in: two.chat, as: id) == ack)
        _ = try await two.bob.call(Routes.deleteAccount)
        #expect(try await two.alice.send("secret", in: two.chat, as: id) == ack)
        await two.server.stop()
    }

    @Test("Fifty frames sent without waiting are ordered as they came")
    func pipelined() async throws {
        let two = try await TwoFriends()
        let live = try two.alice.connect()
        let bobLive = try two.bob.connect()
        for number in 1...50 {
            let message = SendMessage(clientMessageID: .new(), conversationID: two.chat, body: "\(number)")
            try live.send(.messageSend(message), id: "\(number)")
        }
        await two.server.settle()
        let acks = live.frames.filter { $0.event.ack != nil }
        #expect(acks.compactMap(\.id) == (1...50).map(String.init))
        #expect(acks.compactMap(\.event.ack?.seq) == Array(1...50))
        #expect(bobLive.events.compactMap(\.message).map(\.body) == (1...50).map(String.init))
        await two.server.stop()
    }

    @Test("A refusal names the frame and the message, and disturbs no other")
    func refusal() async throws {
        let two = try await TwoFriends()
        let live = try two.alice.connect()
        let id = ClientMessageID.new()
        let frame = try await live.say("hi", in: ID("elsewhere"), as: id)
        let error = try #require(frame.event.error)
        #expect(error.code == ErrorCode.notFound.rawValue)
        #expect(error.clientMessageID == id)
        let image = SendMessage(
            clientMessageID: id, conversationID: two.chat, type: MessageType(rawValue: "image"), body: "x")
        let answer = try await live.exchange(.messageSend(image), id: "image")
        #expect(answer.first?.event.error?.code == ErrorCode.validationFailed.rawValue)
        #expect(answer.first?.event.error?.clientMessageID == id)
        let system = SendMessage(clientMessageID: id, conversationID: two.chat, type: .system, body: "x")
        #expect(
            try await live.exchange(.messageSend(system)).first?.event.error?.code
                == ErrorCode.validationFailed.rawValue)
        // The id was never used up.
        #expect(try await live.say("hi", in: two.chat, as: id).event.ack?.seq == 1)
        await two.server.stop()
    }

    @Test("A reply must name a message of the same conversation")
    func replies() async throws {
        let two = try await TwoFriends()
        let carol = try await two.server.signUp("carol")
        try await two.alice.befriend(carol)
        let other = try await two.alice.openChat(with: carol)
        let elsewhere = try await two.alice.send("elsewhere", in: other)
        let here = try await two.bob.send("here", in: two.chat)
        await refused(.validationFailed) {
            try await two.alice.send("re", in: two.chat, replyTo: elsewhere.id)
        }
        let reply = try await two.alice.send("re", in: two.chat, replyTo: here.id)
        let stored = try await two.bob.messages(two.chat).messages.first { $0.id == reply.id }
        #expect(stored?.replyToID == here.id)
        await two.server.stop()
    }

    // Field case 22
    @Test("Above the rate, sends are refused with a time to wait; sent again after it, all arrive in order")
    func rateLimit() async throws {
        let two = try await TwoFriends { $0.limitsRates = true }
        let live = try two.alice.connect()
        var waiting = (1...400).map { (number: $0, id: ClientMessageID.new()) }
        var rounds = 0
        while !waiting.isEmpty {
            rounds += 1
            _ = live.take()
            for (number, id) in waiting {
                let message = SendMessage(clientMessageID: id, conversationID: two.chat, body: "\(number)")
                try live.send(.messageSend(message))
            }
            await two.server.settle()
            let events = live.take()
            let acked = Set(events.compactMap(\.ack?.clientMessageID))
            let errors = events.compactMap(\.error)
            #expect(
                errors.allSatisfy { $0.code == ErrorCode.rateLimited.rawValue && ($0.retryAfter ?? 0) > 0 })
            #expect(acked.count + Set(errors.compactMap(\.clientMessageID)).count == waiting.count)
            waiting.removeAll { acked.contains($0.id) }
            two.server.clock.advance(by: .seconds(errors.compactMap(\.retryAfter).max() ?? 0))
            // What is refused comes after what was taken, so that a client that waits keeps its order.
            if rounds == 1 { #expect(waiting.map(\.number) == Array(301...400)) }
        }
        #expect(rounds > 1)
        let history = try await two.bob.messages(two.chat, ["limit": "200", "afterSeq": "200"]).messages
        #expect(history.map(\.body) == (201...400).map { "\($0)" })
        await two.server.stop()
    }
}
