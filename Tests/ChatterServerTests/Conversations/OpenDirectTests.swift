import ChatterModel
import ChatterTestSupport
import Testing

@Suite("Opening a direct chat", .timeLimit(.minutes(5)))
struct OpenDirectTests {
    // Field case 102
    @Test("A hundred parallel calls from both sides open one conversation")
    func parallel() async throws {
        let server = try await TestServer()
        let (alice, bob) = (try await server.signUp("alice"), try await server.signUp("bobby"))
        try await alice.befriend(bob)
        let ids = try await withThrowingTaskGroup { group in
            for number in 0..<100 {
                let (person, other) = number.isMultiple(of: 2) ? (alice, bob) : (bob, alice)
                group.addTask { try await person.openChat(with: other) }
            }
            return try await group.reduce(into: Set<ID<Conversation>>()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
        #expect(try await alice.syncAll().conversations.map(\.id) == Array(ids))
        #expect(try await bob.syncAll().conversations.map(\.id) == Array(ids))
        await server.stop()
    }

    // Field case 102
    @Test("Nobody opens one with themselves, a stranger, or somebody who is gone or blocked")
    func refusals() async throws {
        let server = try await TestServer()
        let (alice, bob) = (try await server.signUp("alice"), try await server.signUp("bobby"))
        let (friend, gone) = (try await server.signUp("friend"), try await server.signUp("gone"))
        await refused(.validationFailed) { try await alice.openChat(with: alice) }
        await refused(.notFriends) { try await alice.openChat(with: bob) }
        try await alice.befriend(friend)
        _ = try await alice.block(friend)
        await refused(.blocked) { try await alice.openChat(with: friend) }
        _ = try await gone.call(Routes.deleteAccount)
        await refused(.userDeleted) { try await alice.openChat(with: gone) }
        await refused(.notFound) {
            try await alice.call(Routes.openDirect, body: OpenDirect(userID: ID("nobody")))
        }
        await server.stop()
    }

    @Test("Both are told of a new one, and nobody of an old one")
    func announcement() async throws {
        let server = try await TestServer()
        let (alice, bob) = (try await server.signUp("alice"), try await server.signUp("bobby"))
        try await alice.befriend(bob)
        let (aliceLive, bobLive) = (try alice.connect(), try bob.connect())
        await server.hush(aliceLive, bobLive)
        let chat = try await alice.openChat(with: bob)
        for (live, device) in [(aliceLive, alice), (bobLive, bob)] {
            let conversation = try #require(live.take().compactMap(\.conversation).first)
            #expect(conversation.id == chat)
            #expect(conversation.members.count == 2)
            #expect(conversation.lastMessage == nil && conversation.unreadCount == 0)
            #expect(try await device.conversation(chat) == conversation)
        }
        #expect(try await bob.openChat(with: alice) == chat)
        #expect(aliceLive.take().isEmpty && bobLive.take().isEmpty)
        await server.stop()
    }

    @Test("A conversation is its members' alone")
    func strangers() async throws {
        let two = try await TwoFriends()
        let carol = try await two.server.signUp("carol")
        await refused(.notFound) { try await carol.conversation(two.chat) }
        await refused(.notFound) { try await carol.messages(two.chat) }
        await refused(.notFound) { try await carol.send("hi", in: two.chat) }
        await refused(.notFound) { try await carol.mark(read: 1, in: two.chat) }
        await refused(.notFound) { try await carol.edit(EditSettings(pinned: true), of: two.chat) }
        #expect(try await carol.syncAll().conversations.isEmpty)
        await two.server.stop()
    }
}
