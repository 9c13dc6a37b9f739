import ChatterModel
import ChatterTestSupport
import Testing

@Suite("Friends", .timeLimit(.minutes(5)))
struct FriendsTests {
    @Test("The list comes page by page, with presence and last seen")
    func list() async throws {
        let server = try await TestServer()
        let alice = try await server.signUp("alice")
        var friends: [TestDevice] = []
        for number in 0..<5 {
            friends.append(try await server.signUp("friend\(number)"))
            try await alice.befriend(friends[number])
        }
        let online = try friends[0].connect()
        let left = try friends[1].connect()
        let leftAt = server.clock.now
        left.disconnect()
        server.clock.advance(by: .seconds(5))
        await server.settle()

        var seen: [Friend] = []
        var cursor: String?
        repeat {
            var query = ["limit": "2"]
            query["cursor"] = cursor
            let page = try await alice.call(Routes.friends, query: query)
            seen += page.items
            cursor = page.nextCursor
        } while cursor != nil
        #expect(Set(seen.map(\.user.id)) == Set(friends.map(\.user)))
        #expect(seen.count == 5)
        let presence = Dictionary(uniqueKeysWithValues: seen.map { ($0.user.id, $0.presence) })
        #expect(presence[online.live.user]?.online == true)
        #expect(presence[friends[1].user]?.online == false)
        #expect(presence[friends[1].user]?.lastSeenAt == leftAt)
        #expect(presence[friends[2].user]?.lastSeenAt == nil)
        await server.stop()
    }

    @Test("Removing a friend ends it for both, live and for good; repeating changes nothing")
    func removal() async throws {
        let two = try await TwoFriends()
        let (aliceLive, bobLive) = (try two.alice.connect(), try two.bob.connect())
        for _ in 1...2 {
            _ = try await two.alice.call(Routes.removeFriend, ["userId": two.bob.user.rawValue])
        }
        for (live, other) in [(aliceLive, two.bob.user), (bobLive, two.alice.user)] {
            let removed: [ID<User>] = live.events.compactMap { event in
                if case .friendRemoved(let removed) = event { removed.userID } else { nil }
            }
            #expect(removed == [other])
        }
        #expect(try await two.alice.friends().isEmpty)
        #expect(try await two.bob.friends().isEmpty)
        #expect(try await two.alice.find(two.bob).friendshipStatus == .none)
        await two.server.stop()
    }

    @Test("After unfriending the history stays readable, but nobody can send; befriending again opens it")
    func afterwards() async throws {
        let two = try await TwoFriends()
        _ = try await two.alice.send("before", in: two.chat)
        _ = try await two.alice.call(Routes.removeFriend, ["userId": two.bob.user.rawValue])
        await refused(.notFriends) { try await two.alice.send("x", in: two.chat) }
        await refused(.notFriends) { try await two.bob.send("x", in: two.chat) }
        #expect(try await two.bob.messages(two.chat).messages.map(\.body) == ["before"])
        #expect(try await two.alice.openChat(with: two.bob) == two.chat)

        try await two.bob.befriend(two.alice)
        #expect(try await two.bob.send("after", in: two.chat).seq == 2)
        await two.server.stop()
    }
}
