import ChatterModel
import ChatterTestSupport
import Testing

@Suite("Typing", .timeLimit(.minutes(5)))
struct TypingTests {
    private func typing(_ live: TestConnection) -> [Bool] { live.take().compactMap(\.typing?.isTyping) }

    @Test("Start and stop reach the other's devices, and nobody else's")
    func relay() async throws {
        let two = try await TwoFriends()
        let second = try await two.secondDevice(of: two.alice)
        let (live, ownLive) = (try two.alice.connect(), try second.connect())
        let bobLive = try two.bob.connect()
        await two.server.hush(ownLive, bobLive, live)
        let here = TypingIn(conversationID: two.chat)
        try live.send(.typingStart(here))
        let event = Typing(conversationID: two.chat, userID: two.alice.user, isTyping: true)
        #expect(bobLive.take() == [.typing(event)])
        try live.send(.typingStop(here))
        #expect(typing(bobLive) == [false])
        try live.send(.typingStop(here))
        #expect(typing(bobLive).isEmpty)
        #expect(ownLive.take().compactMap(\.typing).isEmpty && live.take().isEmpty)
        try live.send(.typingStart(TypingIn(conversationID: ID("elsewhere"))), id: "x")
        #expect(live.frames.last?.id == "x")
        #expect(live.events.last?.error?.code == ErrorCode.notFound.rawValue)
        await two.server.stop()
    }

    // Field case 116
    @Test("When the typist's last connection is gone, typing ends at once")
    func disconnected() async throws {
        let two = try await TwoFriends()
        let second = try await two.secondDevice(of: two.alice)
        let (live, other) = (try two.alice.connect(), try second.connect())
        let bobLive = try two.bob.connect()
        await two.server.hush(bobLive)
        try live.send(.typingStart(TypingIn(conversationID: two.chat)))
        #expect(typing(bobLive) == [true])
        live.disconnect()
        #expect(typing(bobLive).isEmpty)
        other.disconnect()
        #expect(typing(bobLive) == [false])
        await two.server.stop()
    }

    // Field case 116
    @Test("Nothing of it is kept: who comes later hears nothing")
    func notStored() async throws {
        let two = try await TwoFriends()
        let live = try two.alice.connect()
        try live.send(.typingStart(TypingIn(conversationID: two.chat)))
        let bobLive = try two.bob.connect()
        let events = try await bobLive.sync([two.chat: SyncRequest.Held(seq: 0, change: 0)])
        #expect(events.compactMap(\.typing).isEmpty)
        await two.server.stop()
    }

    @Test("A flood of starts is thinned to one a second")
    func flood() async throws {
        let two = try await TwoFriends()
        let live = try two.alice.connect()
        let bobLive = try two.bob.connect()
        _ = bobLive.take()
        for _ in 1...100 {
            try live.send(.typingStart(TypingIn(conversationID: two.chat)))
            two.server.clock.advance(by: .milliseconds(50))
        }
        #expect(typing(bobLive).count == 5)
        for _ in 1...100 {
            try live.send(.typingStart(TypingIn(conversationID: two.chat)))
            try live.send(.typingStop(TypingIn(conversationID: two.chat)))
        }
        #expect(typing(bobLive).count == 2)
        await two.server.stop()
    }

    @Test("Former friends no longer see it")
    func unfriended() async throws {
        let two = try await TwoFriends()
        let live = try two.alice.connect()
        let bobLive = try two.bob.connect()
        try live.send(.typingStart(TypingIn(conversationID: two.chat)))
        _ = try await two.bob.call(Routes.removeFriend, ["userId": two.alice.user.rawValue])
        await two.server.hush(bobLive)
        try live.send(.typingStop(TypingIn(conversationID: two.chat)))
        two.server.clock.advance(by: .seconds(3))
        try live.send(.typingStart(TypingIn(conversationID: two.chat)))
        #expect(bobLive.take().isEmpty)
        #expect(live.events.compactMap(\.error).isEmpty)
        await two.server.stop()
    }
}
