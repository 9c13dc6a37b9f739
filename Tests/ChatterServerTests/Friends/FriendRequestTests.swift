import ChatterModel
import ChatterTestSupport
import Testing

@Suite("Friend requests", .timeLimit(.minutes(5)))
struct FriendRequestTests {
    @Test("A request reaches the other live, and its acceptance both")
    func acceptance() async throws {
        let server = try await TestServer()
        let (alice, bob) = (try await server.signUp("alice"), try await server.signUp("bobby"))
        let (aliceLive, bobLive) = (try alice.connect(), try bob.connect())
        let request = try await alice.request(bob)
        #expect(request.status == .pending)
        #expect(request.from.id == alice.user && request.to.id == bob.user)
        #expect(bobLive.events.contains(.friendRequestReceived(request)))
        #expect(try await bob.requests(.incoming) == [request])
        #expect(try await alice.requests(.outgoing) == [request])

        let friend = try await bob.accept(request)
        #expect(friend.user.id == alice.user)
        for (live, other) in [(aliceLive, bob.user), (bobLive, alice.user)] {
            let made = live.events.compactMap { event in
                if case .friendRequestAccepted(let made) = event { made } else { nil }
            }
            #expect(made.map(\.friend.user.id) == [other])
            #expect(made.map(\.request.status) == [.accepted])
        }
        #expect(try await alice.friends().map(\.user.id) == [bob.user])
        #expect(try await bob.friends().map(\.user.id) == [alice.user])
        #expect(try await bob.requests(.incoming).isEmpty)
        await server.stop()
    }

    // Field case 100
    @Test("A repeated request is the same request")
    func repetition() async throws {
        let server = try await TestServer()
        let (alice, bob) = (try await server.signUp("alice"), try await server.signUp("bobby"))
        let bobLive = try bob.connect()
        let first = try await alice.request(bob)
        let second = try await alice.request(bob)
        #expect(first == second)
        let received = bobLive.events.filter { $0.type == "friend_request.received" }
        #expect(received.count == 1)
        await server.stop()
    }

    // Field case 100
    @Test("Crossing requests become one friendship, five hundred times")
    func crossing() async throws {
        let server = try await TestServer()
        // 33 people are 528 pairs.
        var people: [TestDevice] = []
        for number in 0..<33 { people.append(try await server.signUp("person\(number)")) }
        let pairs = people.indices.flatMap { one in (0..<one).map { (people[one], people[$0]) } }.prefix(500)
        #expect(pairs.count == 500)
        for (alice, bob) in pairs {
            async let there = alice.request(bob)
            async let back = bob.request(alice)
            let answers = try await [there, back]
            // Whichever came second is answered with the friendship.
            #expect(answers[0].id == answers[1].id)
            #expect(Set(answers.map(\.status)) == [.pending, .accepted])
        }
        let friends = pairs.reduce(into: [ID<User>: Set<ID<User>>]()) { friends, pair in
            friends[pair.0.user, default: []].insert(pair.1.user)
            friends[pair.1.user, default: []].insert(pair.0.user)
        }
        for person in people {
            #expect(Set(try await person.friends().map(\.user.id)) == friends[person.user])
            #expect(try await person.requests(.incoming).isEmpty)
            #expect(try await person.requests(.outgoing).isEmpty)
        }
        await server.stop()
    }

    // Field case 100
    @Test("Of an acceptance and a cancellation at once exactly one wins")
    func acceptAgainstCancel() async throws {
        let server = try await TestServer()
        var wins: Set<String> = []
        for round in 0..<60 {
            let alice = try await server.signUp("alice\(round)")
            let bob = try await server.signUp("bobby\(round)")
            let request = try await alice.request(bob)
            let id = ["id": request.id.rawValue]
            async let accepted = outcome { _ = try await bob.accept(request) }
            async let cancelled = outcome { _ = try await alice.call(Routes.cancelFriendRequest, id) }
            let outcomes = await [accepted, cancelled]
            #expect(outcomes.filter { $0 == nil }.count == 1)
            #expect(outcomes.contains(.requestClosed))
            let areFriends = try await !alice.friends().isEmpty
            #expect(areFriends == (outcomes[0] == nil))
            #expect(try await bob.requests(.incoming).isEmpty)
            wins.insert(areFriends ? "accepted" : "cancelled")
        }
        #expect(!wins.isEmpty)
        await server.stop()
    }

    // Field case 100
    @Test("Whoever has blocked the sender cannot accept any more")
    func acceptAfterBlock() async throws {
        let server = try await TestServer()
        let (alice, bob) = (try await server.signUp("alice"), try await server.signUp("bobby"))
        let request = try await alice.request(bob)
        _ = try await bob.block(alice)
        await refused(.blocked) { try await bob.accept(request) }
        #expect(try await bob.requests(.incoming).isEmpty)
        // The sender sees it pending for ever.
        #expect(try await alice.requests(.outgoing).map(\.id) == [request.id])
        await server.stop()
    }

    @Test("A request that was declined is told to both and can be made anew")
    func declining() async throws {
        let server = try await TestServer()
        let (alice, bob) = (try await server.signUp("alice"), try await server.signUp("bobby"))
        let (aliceLive, bobLive) = (try alice.connect(), try bob.connect())
        let request = try await alice.request(bob)
        let id = ["id": request.id.rawValue]
        for _ in 1...2 { _ = try await bob.call(Routes.declineFriendRequest, id) }
        for live in [aliceLive, bobLive] {
            #expect(live.events.filter { $0.type == "friend_request.declined" }.count == 1)
        }
        await refused(.requestClosed) { try await bob.accept(request) }
        await refused(.requestClosed) { try await alice.call(Routes.cancelFriendRequest, id) }
        #expect(try await alice.request(bob).id != request.id)
        await server.stop()
    }

    @Test("Only the receiver answers and only the sender cancels")
    func strangers() async throws {
        let server = try await TestServer()
        let (alice, bob) = (try await server.signUp("alice"), try await server.signUp("bobby"))
        let carol = try await server.signUp("carol")
        let request = try await alice.request(bob)
        let id = ["id": request.id.rawValue]
        for person in [alice, carol] {
            await refused(.notFound) { try await person.accept(request) }
            await refused(.notFound) { try await person.call(Routes.declineFriendRequest, id) }
        }
        for person in [bob, carol] {
            await refused(.notFound) { try await person.call(Routes.cancelFriendRequest, id) }
        }
        _ = try await alice.call(Routes.cancelFriendRequest, id)
        _ = try await alice.call(Routes.cancelFriendRequest, id)
        await server.stop()
    }

    @Test("Nobody asks themselves, a friend, a deleted account, a stranger's id or another workspace")
    func refusals() async throws {
        let server = try await TestServer()
        let (alice, bob) = (try await server.signUp("alice"), try await server.signUp("bobby"))
        let gone = try await server.signUp("gone")
        _ = try await gone.call(Routes.deleteAccount)
        let elsewhere = try await server.server.createWorkspace(named: "elsewhere").clientKey
        let stranger = try await server.signIn(phone: server.newPhone(), clientKey: elsewhere)
        let nobody = try await server.signIn(phone: server.newPhone())

        await refused(.validationFailed) { try await alice.request(alice) }
        await refused(.userDeleted) { try await alice.request(gone) }
        await refused(.notFound) { try await alice.request(stranger) }
        await refused(.notFound) { try await alice.request(nobody) }
        try await alice.befriend(bob)
        await refused(.alreadyFriends) { try await alice.request(bob) }
        await refused(.alreadyFriends) { try await bob.request(alice) }
        await server.stop()
    }

    @Test("The lists come newest first, page by page")
    func pages() async throws {
        let server = try await TestServer()
        let alice = try await server.signUp("alice")
        var sent: [ID<FriendRequest>] = []
        for number in 0..<5 {
            let other = try await server.signUp("other\(number)")
            sent.append(try await alice.request(other).id)
        }
        var seen: [ID<FriendRequest>] = []
        var cursor: String?
        repeat {
            var query = ["direction": "outgoing", "limit": "2"]
            query["cursor"] = cursor
            let page = try await alice.call(Routes.friendRequests, query: query)
            seen += page.items.map(\.id)
            cursor = page.nextCursor
        } while cursor != nil
        #expect(seen == sent.reversed())
        await refused(.validationFailed) {
            try await alice.call(Routes.friendRequests, query: ["cursor": "x"])
        }
        await server.stop()
    }

    private func outcome(_ work: @Sendable () async throws -> Void) async -> ErrorCode? {
        do {
            try await work()
            return nil
        } catch {
            return (error as? APIError)?.code ?? .internalError
        }
    }
}
