import ChatterModel
import ChatterTestSupport
import Testing

@Suite("Blocking", .timeLimit(.minutes(5)))
struct BlockTests {
    // Field case 95
    @Test("A message to somebody who has blocked the sender keeps one tick for ever, and tells nothing")
    func oneTick() async throws {
        let two = try await TwoFriends()
        let bobSecond = try await two.secondDevice(of: two.bob)
        _ = try await two.alice.block(two.bob)
        let (aliceLive, bobLive) = (try two.alice.connect(), try two.bob.connect())
        let bobSecondLive = try bobSecond.connect()
        await two.server.hush(aliceLive, bobLive, bobSecondLive)

        let ack = try #require(try await bobLive.say("are you there?", in: two.chat).event.ack)
        #expect(ack.seq == 1)
        #expect(bobSecondLive.take().compactMap(\.message).map(\.id) == [ack.id])
        #expect(aliceLive.take().isEmpty)
        _ = try await two.alice.mark(read: 1, in: two.chat)
        #expect(bobLive.take().isEmpty && bobSecondLive.take().isEmpty)
        func member() async throws -> Member? {
            try await two.bob.conversation(two.chat).other(than: two.bob)
        }
        #expect(try await member()?.lastDeliveredSeq == 0)
        #expect(try await member()?.undelivered == [])

        try await two.alice.unblock(two.bob)
        #expect(try await two.alice.messages(two.chat).messages.isEmpty)
        #expect(try await two.alice.conversation(two.chat).unreadCount == 0)
        // What was sent meanwhile is named, so that later receipts tick it neither.
        let updated = try #require(bobLive.take().compactMap(\.conversation).last)
        #expect(updated.other(than: two.bob)?.undelivered == [SeqRange(from: 1, to: 1)])
        let after = try #require(try await bobLive.say("and now?", in: two.chat).event.ack)
        #expect(aliceLive.take().compactMap(\.message).map(\.id) == [after.id])
        let receipt = try await two.alice.mark(read: 2, in: two.chat)
        #expect(bobLive.take().compactMap(\.receipt) == [receipt])
        #expect(try await member()?.lastReadSeq == 2)
        #expect(try await member()?.undelivered == [SeqRange(from: 1, to: 1)])
        await two.server.stop()
    }

    @Test("What a block keeps back is news to the sender's other devices, and to nobody else")
    func keptBack() async throws {
        let two = try await TwoFriends()
        let second = try await two.secondDevice(of: two.bob)
        _ = try await two.alice.block(two.bob)
        let cursors = (
            alice: try await two.alice.syncAll().cursor, second: try await second.syncAll().cursor
        )
        _ = try await two.bob.send("are you there?", in: two.chat)
        let news = try await second.syncAll(since: cursors.second).conversations
        #expect(news.map(\.lastMessage?.body) == ["are you there?"])
        #expect(try await two.alice.syncAll(since: cursors.alice).conversations.isEmpty)
        await two.server.stop()
    }

    // Field case 95
    @Test("A device of the blocker that was away gets none of it either, by no way of asking")
    func awayDevice() async throws {
        let two = try await TwoFriends()
        _ = try await two.bob.send("before", in: two.chat)
        let second = try await two.secondDevice(of: two.alice)
        _ = try await two.alice.block(two.bob)
        let hidden = try await two.bob.send("hidden", in: two.chat)
        _ = try await two.bob.delete(hidden.id, .everyone)
        let live = try second.connect()
        let events = try await live.sync([two.chat: SyncRequest.Held(seq: 1, change: 1)])
        #expect(events.compactMap(\.message).isEmpty)
        let state = events.last?.syncComplete?.conversations[two.chat]
        #expect(state == SyncComplete.State(change: 3, lastSeq: 2, lastChange: 3, hasMore: false))
        for place in ["afterSeq", "afterChange"] {
            let page = try await second.messages(two.chat, [place: "1"])
            #expect(page.messages.isEmpty && !page.hasMore && page.lastSeq == 2)
        }
        await refused(.notFound) { try await second.delete(hidden.id, .me) }
        await refused(.validationFailed) {
            try await two.bob.send("quoting", in: two.chat, replyTo: ID("nothing"))
        }
        await refused(.blocked) { try await second.send("x", in: two.chat, replyTo: hidden.id) }
        await refused(.notFound) {
            try await second.call(
                Routes.report, body: NewReport(userID: two.bob.user, messageID: hidden.id, reason: .spam))
        }
        await two.server.stop()
    }

    @Test(
        "Ranges of undelivered messages from several blocks add up, and a new block shows only the old ones")
    func severalBlocks() async throws {
        let two = try await TwoFriends()
        func say(_ count: Int) async throws {
            for _ in 0..<count { _ = try await two.bob.send("x", in: two.chat) }
        }
        func undelivered() async throws -> [SeqRange] {
            try await two.bob.conversation(two.chat).other(than: two.bob)?.undelivered ?? []
        }
        try await say(1)
        _ = try await two.alice.block(two.bob)
        try await say(2)  // 2, 3
        try await two.alice.unblock(two.bob)
        try await say(1)
        _ = try await two.alice.block(two.bob)
        try await say(1)  // 5
        #expect(try await undelivered() == [SeqRange(from: 2, to: 3)])
        try await two.alice.unblock(two.bob)
        #expect(try await undelivered() == [SeqRange(from: 2, to: 3), SeqRange(from: 5, to: 5)])
        #expect(try await two.alice.messages(two.chat).messages.map(\.seq) == [1, 4])
        await two.server.stop()
    }

    @Test("Hidden messages do not move the blocker's chat; for their sender they do")
    func order() async throws {
        let two = try await TwoFriends()
        _ = try await two.bob.send("before", in: two.chat)
        let before = try await two.alice.conversation(two.chat)
        _ = try await two.alice.block(two.bob)
        two.server.clock.advance(by: .seconds(60))
        _ = try await two.bob.send("hidden", in: two.chat)
        let seenByAlice = try await two.alice.conversation(two.chat)
        #expect(seenByAlice.lastActivityAt == before.lastActivityAt)
        #expect(seenByAlice.lastMessage == before.lastMessage)
        #expect(seenByAlice.version == before.version)
        let seenByBob = try await two.bob.conversation(two.chat)
        #expect(seenByBob.lastActivityAt == two.server.clock.now)
        #expect(seenByBob.lastMessage?.body == "hidden")
        await two.server.stop()
    }

    @Test("After the end each sees the other as they are by now, live and by sync")
    func thaw() async throws {
        let two = try await TwoFriends()
        _ = try await two.alice.block(two.bob)
        let (aliceLive, bobLive) = (try two.alice.connect(), try two.bob.connect())
        await two.server.settle()
        _ = try await two.alice.call(Routes.editProfile, body: EditProfile(about: "new alice"))
        _ = try await two.bob.call(Routes.editProfile, body: EditProfile(about: "new bob"))
        let (aliceCursor, bobCursor) = (
            try await two.alice.syncAll().cursor, try await two.bob.syncAll().cursor
        )
        #expect(try await two.bob.find(two.alice).user.about == "")
        #expect(try await two.alice.find(two.bob).user.about == "")
        await two.server.hush(aliceLive, bobLive)

        try await two.alice.unblock(two.bob)
        for (live, device, cursor, about) in [
            (aliceLive, two.alice, aliceCursor, "new bob"), (bobLive, two.bob, bobCursor, "new alice"),
        ] {
            let events = live.take()
            let users = events.compactMap { if case .userUpdated(let user) = $0 { user } else { nil } }
            #expect(users.map(\.about) == [about])
            #expect(events.compactMap(\.presence).map(\.online) == [true])
            #expect(try await device.syncAll(since: cursor).users.map(\.about) == [about])
        }
        #expect(aliceLive.closeCode == nil)
        await two.server.stop()
    }

    @Test("When both block each other, the end of one block ends nothing")
    func mutual() async throws {
        let two = try await TwoFriends()
        _ = try await two.alice.block(two.bob)
        _ = try await two.alice.call(Routes.editProfile, body: EditProfile(about: "after the first"))
        _ = try await two.bob.block(two.alice)
        try await two.alice.unblock(two.bob)
        #expect(try await two.bob.find(two.alice).user.about == "")
        #expect(try await two.bob.search("alice").isEmpty)
        #expect(try await two.alice.search("bobby").isEmpty)
        await refused(.blocked) { try await two.bob.send("x", in: two.chat) }
        let hidden = try await two.alice.send("x", in: two.chat)
        #expect(try await two.bob.messages(two.chat).messages.isEmpty)
        try await two.bob.unblock(two.alice)
        #expect(try await two.bob.find(two.alice).user.about == "after the first")
        #expect(try await two.bob.send("x", in: two.chat).seq == hidden.seq + 1)
        await two.server.stop()
    }

    @Test("A request to somebody who blocks looks pending; asked again after the end, it arrives")
    func hiddenRequest() async throws {
        let server = try await TestServer()
        let (alice, bob) = (try await server.signUp("alice"), try await server.signUp("bobby"))
        _ = try await alice.block(bob)
        let live = try alice.connect()
        await server.hush(live)
        let request = try await bob.request(alice)
        #expect(request.status == .pending)
        #expect(try await bob.request(alice) == request)
        #expect(try await bob.requests(.outgoing) == [request])
        #expect(try await alice.requests(.incoming).isEmpty)
        #expect(try await alice.syncAll().friendRequests.isEmpty)
        try await alice.unblock(bob)
        #expect(try await alice.requests(.incoming).isEmpty)
        await refused(.notFound) { try await alice.accept(request) }
        #expect(live.take().filter { $0.type.hasPrefix("friend_request") }.isEmpty)

        let again = try await bob.request(alice)
        #expect(again.id == request.id)
        #expect(live.take().map(\.type) == ["friend_request.received"])
        _ = try await alice.accept(again)
        #expect(try await bob.friends().map(\.user.id) == [alice.user])
        await server.stop()
    }

    @Test("When the former blocker asks, a hidden request makes it a friendship at once")
    func crossingHidden() async throws {
        let server = try await TestServer()
        let (alice, bob) = (try await server.signUp("alice"), try await server.signUp("bobby"))
        _ = try await alice.block(bob)
        _ = try await bob.request(alice)
        try await alice.unblock(bob)
        #expect(try await alice.request(bob).status == .accepted)
        #expect(try await alice.friends().map(\.user.id) == [bob.user])
        #expect(try await bob.friends().map(\.user.id) == [alice.user])
        #expect(try await bob.requests(.outgoing).isEmpty)
        await server.stop()
    }

    @Test("A block takes back one's own request and takes the other's out of sight, on every device")
    func openRequests() async throws {
        let server = try await TestServer()
        let (alice, bob) = (try await server.signUp("alice"), try await server.signUp("bobby"))
        let carol = try await server.signUp("carol")
        let own = try await alice.request(bob)
        let received = try await carol.request(alice)
        let cursor = try await alice.syncAll().cursor
        let (bobLive, carolLive) = (try bob.connect(), try carol.connect())
        await server.hush(bobLive, carolLive)
        _ = try await alice.block(bob)
        _ = try await alice.block(carol)
        #expect(bobLive.take().map(\.type) == ["friend_request.cancelled"])
        #expect(carolLive.take().isEmpty)
        #expect(try await bob.requests(.incoming).isEmpty)
        #expect(try await carol.requests(.outgoing).map(\.id) == [received.id])
        #expect(try await alice.requests(.incoming).isEmpty)
        let page = try await alice.syncAll(since: cursor)
        let statuses = page.friendRequests.reduce(into: [:]) { $0[$1.id] = $1.status }
        #expect(statuses == [own.id: .cancelled, received.id: .declined])
        await server.stop()
    }

    @Test("A chat that the blocked one opened appears with the end of the block")
    func openedMeanwhile() async throws {
        let server = try await TestServer()
        let (alice, bob) = (try await server.signUp("alice"), try await server.signUp("bobby"))
        try await alice.befriend(bob)
        _ = try await alice.block(bob)
        let chat = try await bob.openChat(with: alice)
        _ = try await bob.send("into the void", in: chat)
        #expect(try await alice.syncAll().conversations.isEmpty)
        let cursor = try await alice.syncAll().cursor
        try await alice.unblock(bob)
        let page = try await alice.syncAll(since: cursor)
        #expect(page.conversations.map(\.id) == [chat])
        #expect(page.conversations.first?.lastMessage == nil)
        // A block that is set now finds it there.
        _ = try await alice.block(bob)
        #expect(try await alice.syncAll().conversations.map(\.id) == [chat])
        await server.stop()
    }

    @Test("Blocking is idempotent, tells own devices, and lists page by page")
    func list() async throws {
        let server = try await TestServer()
        let alice = try await server.signUp("alice")
        let live = try alice.connect()
        await server.hush(live)
        var blocked: Set<ID<User>> = []
        for number in 0..<5 {
            let other = try await server.signUp("other\(number)")
            let block = try await alice.block(other)
            #expect(try await alice.block(other) == block)
            #expect(live.take() == [.syncChanged])
            blocked.insert(other.user)
        }
        var seen: [ID<User>] = []
        var cursor: String?
        repeat {
            var query = ["limit": "2"]
            query["cursor"] = cursor
            let page = try await alice.call(Routes.blocks, query: query)
            seen += page.items.map(\.user.id)
            cursor = page.nextCursor
        } while cursor != nil
        #expect(Set(seen) == blocked && seen.count == 5)
        await refused(.validationFailed) { try await alice.block(alice) }
        await refused(.notFound) {
            try await alice.call(Routes.block, ["userId": "00000000-0000-7000-8000-000000000000"])
        }
        let stranger = try await server.signUp("stranger")
        try await alice.unblock(stranger)
        #expect(live.take().isEmpty)
        await server.stop()
    }
}
