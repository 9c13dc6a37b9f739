import ChatterModel
import ChatterTestSupport
import Testing

@Suite("GET /sync", .timeLimit(.minutes(5)))
struct SyncTests {
    @Test("From nothing it brings everything there is, and nothing that is over")
    func fromNothing() async throws {
        let two = try await TwoFriends()
        let carol = try await two.server.signUp("carol")
        let dave = try await two.server.signUp("dave_1")
        let ex = try await two.server.signUp("former")
        try await two.alice.befriend(ex)
        _ = try await ex.call(Routes.removeFriend, ["userId": two.alice.user.rawValue])
        let request = try await carol.request(two.alice)
        let declined = try await dave.request(two.alice)
        _ = try await two.alice.call(Routes.declineFriendRequest, ["id": declined.id.rawValue])
        _ = try await two.alice.block(dave)
        _ = try await two.alice.block(ex)
        try await two.alice.unblock(ex)
        _ = try await two.bob.send("hello", in: two.chat)

        let all = try await two.alice.syncAll()
        #expect(all.me == (try await two.alice.call(Routes.me)))
        #expect(all.friends.map(\.user.id) == [two.bob.user])
        #expect(all.friendRequests == [request])
        #expect(all.blocks.map(\.user.id) == [dave.user])
        #expect(all.conversations == [try await two.alice.conversation(two.chat)])
        #expect(all.conversations.first?.lastMessage?.body == "hello")
        #expect(all.removedFriends.isEmpty && all.removedBlocks.isEmpty)
        #expect(all.serverTime == two.server.clock.now)
        await two.server.stop()
    }

    @Test("After a cursor it brings what changed since, whatever it was, and then nothing more")
    func changes() async throws {
        let two = try await TwoFriends()
        let carol = try await two.server.signUp("carol")
        var cursor = try await two.alice.syncAll().cursor
        func next() async throws -> SyncPage {
            let page = try await two.alice.syncAll(since: cursor)
            cursor = page.cursor
            return page
        }
        let nothing = try await next()
        #expect(nothing == SyncPage(cursor: cursor, hasMore: false, serverTime: two.server.clock.now))

        let request = try await carol.request(two.alice)
        #expect(try await next().friendRequests == [request])
        _ = try await two.alice.accept(request)
        let accepted = try await next()
        #expect(accepted.friendRequests.map(\.status) == [.accepted])
        #expect(accepted.friends.map(\.user.id) == [carol.user])
        _ = try await two.alice.call(Routes.removeFriend, ["userId": carol.user.rawValue])
        #expect(try await next().removedFriends.map(\.userID) == [carol.user])
        _ = try await two.alice.block(carol)
        #expect(try await next().blocks.map(\.user.id) == [carol.user])
        try await two.alice.unblock(carol)
        #expect(try await next().removedBlocks.map(\.userID) == [carol.user])
        _ = try await two.bob.call(Routes.editProfile, body: EditProfile(about: "away"))
        #expect(try await next().users.map(\.about) == ["away"])
        _ = try await two.bob.send("hi", in: two.chat)
        #expect(try await next().conversations.map(\.lastSeq) == [1])
        #expect(
            try await next() == SyncPage(cursor: cursor, hasMore: false, serverTime: two.server.clock.now))
        await two.server.stop()
    }

    @Test("Any page size brings the same, in the order of versions, without gaps")
    func pageSizes() async throws {
        let two = try await TwoFriends()
        for number in 0..<12 {
            let other = try await two.server.signUp("person\(number)")
            try await two.alice.befriend(other)
            let chat = try await two.alice.openChat(with: other)
            let sent = try await other.send("hello", in: chat)
            if number.isMultiple(of: 3) { _ = try await two.alice.delete(sent.id, .me) }
            if number.isMultiple(of: 4) { _ = try await two.alice.block(other) }
        }
        let whole = try await two.alice.syncAll(limit: 200)
        for limit in [1, 2, 3, 7, 50] {
            let pieces = try await two.alice.syncAll(limit: limit)
            #expect(pieces.cursor == whole.cursor)
            #expect(pieces.me == whole.me)
            #expect(pieces.friends == whole.friends)
            #expect(pieces.users == whole.users)
            #expect(pieces.blocks == whole.blocks)
            #expect(pieces.conversations == whole.conversations)
            #expect(pieces.hiddenMessages == whole.hiddenMessages)
            #expect(Set(pieces.friendRequests).isSuperset(of: whole.friendRequests))
        }
        #expect(whole.friends.count == 13 && whole.conversations.count == 13)
        #expect(whole.hiddenMessages.count == 4 && whole.blocks.count == 3)
        #expect(whole.friends.map(\.version) == whole.friends.map(\.version).sorted())
        await two.server.stop()
    }

    @Test("What changes while pages are read is on a later page")
    func changesMeanwhile() async throws {
        let two = try await TwoFriends()
        for number in 0..<5 {
            let other = try await two.server.signUp("person\(number)")
            try await two.alice.befriend(other)
        }
        let first = try await two.alice.call(Routes.sync, query: ["limit": "1"])
        #expect(first.hasMore)
        _ = try await two.bob.call(Routes.editProfile, body: EditProfile(about: "meanwhile"))
        let rest = try await two.alice.syncAll(since: first.cursor, limit: 2)
        #expect(rest.users.last { $0.id == two.bob.user }?.about == "meanwhile")
        #expect(rest.friends.count == 6)
        await two.server.stop()
    }

    @Test("A record's version grows with each change, the same live and by REST")
    func versions() async throws {
        let two = try await TwoFriends()
        let live = try two.alice.connect()
        var last = try await two.alice.conversation(two.chat).version
        for step in 1...4 {
            if step == 1 { _ = try await two.bob.send("x", in: two.chat) }
            if step == 2 { _ = try await two.alice.mark(read: 1, in: two.chat) }
            if step == 3 { _ = try await two.alice.edit(EditSettings(pinned: true), of: two.chat) }
            if step == 4 { _ = try await two.bob.mark(read: 1, in: two.chat) }
            let version = try await two.alice.conversation(two.chat).version
            #expect(version > last || step == 4, "step \(step)")
            last = version
        }
        let pinned = live.events.compactMap(\.conversation).last
        #expect(pinned?.settings.pinned == true)
        await two.server.stop()
    }

    @Test("A cursor that no server gave out is refused")
    func badCursor() async throws {
        let two = try await TwoFriends()
        for cursor in ["", "x", "p", "p-1", "pzzzzzzzzzzzzzzzzzz"] {
            await refused(.validationFailed) {
                try await two.alice.call(Routes.sync, query: ["since": cursor])
            }
            await refused(.validationFailed) {
                try await two.alice.call(Routes.conversations, query: ["updatedSince": cursor])
            }
        }
        await two.server.stop()
    }

    @Test("The list of conversations goes on where it ended, and brings those that changed")
    func conversationList() async throws {
        let server = try await TestServer()
        let alice = try await server.signUp("alice")
        var chats: [ID<Conversation>] = []
        for number in 0..<5 {
            let other = try await server.signUp("person\(number)")
            try await alice.befriend(other)
            chats.append(try await alice.openChat(with: other))
        }
        var seen: [ID<Conversation>] = []
        var cursor: String?
        while true {
            var query = ["limit": "2"]
            query["updatedSince"] = cursor
            let page = try await alice.call(Routes.conversations, query: query)
            let next: String = try #require(page.nextCursor)
            cursor = next
            if page.items.isEmpty { break }
            seen += page.items.map(\.id)
        }
        #expect(seen == chats)
        _ = try await alice.send("hi", in: chats[1])
        _ = try await alice.edit(EditSettings(pinned: true), of: chats[3])
        let query = ["updatedSince": cursor ?? ""]
        let changed = try await alice.call(Routes.conversations, query: query)
        #expect(changed.items.map(\.id) == [chats[1], chats[3]])
        await server.stop()
    }
}
