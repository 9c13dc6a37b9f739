import ChatterModel
import ChatterTestSupport
import Testing

@Suite("Deleting an account", .timeLimit(.minutes(5)))
struct AccountDeletionTests {
    // Field case 99
    @Test("Friends see the account end: the name stays for the history, nothing can be sent")
    func seenByFriends() async throws {
        let two = try await TwoFriends()
        _ = try await two.alice.send("farewell", in: two.chat)
        let cursor = try await two.bob.syncAll().cursor
        let live = try two.bob.connect()
        _ = live.take()
        _ = try await two.alice.call(Routes.deleteAccount)

        let events = live.take()
        #expect(events.contains { $0.type == "friend.removed" })
        let updated = events.compactMap { if case .userUpdated(let user) = $0 { user } else { nil } }
        #expect(updated.map(\.isDeleted) == [true])
        #expect(updated.map(\.displayName) == ["alice"])
        #expect(updated.map(\.username) == [nil])

        #expect(try await two.bob.friends().isEmpty)
        #expect(try await two.bob.search("alice").isEmpty)
        #expect(try await two.bob.find(two.alice).user == updated.first)
        let page = try await two.bob.syncAll(since: cursor)
        #expect(page.users == updated)
        #expect(page.removedFriends.map(\.userID) == [two.alice.user])
        let conversation = try await two.bob.conversation(two.chat)
        #expect(conversation.other(than: two.bob)?.user == updated.first)
        #expect(conversation.unreadCount == 1)
        #expect(try await two.bob.messages(two.chat).messages.map(\.body) == ["farewell"])
        await refused(.userDeleted) { try await two.bob.send("hello?", in: two.chat) }
        #expect(try await two.bob.openChat(with: two.alice) == two.chat)
        await two.server.stop()
    }

    @Test("Its devices are signed out, and phone and username are free")
    func signedOut() async throws {
        let two = try await TwoFriends()
        let second = try await two.secondDevice(of: two.alice)
        let (live, secondLive) = (try two.alice.connect(), try second.connect())
        _ = try await two.alice.call(Routes.deleteAccount)
        #expect(live.closeCode == .signedOut)
        #expect(secondLive.closeCode == .signedOut)
        for device in [two.alice, second] {
            await refused(.tokenInvalid) { try await device.call(Routes.me) }
        }
        let again = try await two.server.signIn(phone: two.alice.phone)
        #expect(again.user != two.alice.user)
        let me = try await again.call(
            Routes.editProfile, body: EditProfile(displayName: "New", username: "alice"))
        #expect(me.username == "alice")
        #expect(try await again.syncAll().conversations.isEmpty)
        await two.server.stop()
    }

    @Test("Open requests end on both sides")
    func requests() async throws {
        let server = try await TestServer()
        let leaver = try await server.signUp("leaver")
        let (asked, asking) = (try await server.signUp("asked"), try await server.signUp("asking"))
        _ = try await leaver.request(asked)
        let open = try await asking.request(leaver)
        let (askedLive, askingLive) = (try asked.connect(), try asking.connect())
        _ = try await leaver.call(Routes.deleteAccount)
        #expect(askedLive.events.contains { $0.type == "friend_request.cancelled" })
        #expect(askingLive.events.contains { $0.type == "friend_request.declined" })
        #expect(try await asked.requests(.incoming).isEmpty)
        #expect(try await asking.requests(.outgoing).isEmpty)
        _ = open
        await server.stop()
    }

    @Test(
        "Deleting goes on where somebody was blocked: both learn of it, and nobody stays blocked by a ghost")
    func acrossBlocks() async throws {
        let two = try await TwoFriends()
        _ = try await two.alice.block(two.bob)
        let live = try two.bob.connect()
        _ = try await two.bob.send("into the void", in: two.chat)
        _ = try await two.alice.call(Routes.deleteAccount)
        let updated = live.events.compactMap { if case .userUpdated(let user) = $0 { user } else { nil } }
        #expect(updated.map(\.isDeleted) == [true])
        await refused(.userDeleted) { try await two.bob.send("still there?", in: two.chat) }
        await two.server.stop()
    }
}
