import ChatterModel
import Testing

@testable import ChatterClient

@Suite("Records of people: the larger version holds")
struct PeopleTests {
    private func friends(_ bench: StoreBench) async throws -> [String?] {
        try await bench.store.read { try $0.friends() }.map(\.user.displayName)
    }

    private func apply(_ bench: StoreBench, _ events: StoredEvent...) async throws {
        _ = try await bench.store.apply(events, at: bench.now)
    }

    @Test("A profile never goes back")
    func profile() async throws {
        let bench = try await StoreBench()
        try await apply(bench, .user(Samples.user(Samples.ben, name: "New", version: 7)))
        try await apply(bench, .user(Samples.user(Samples.ben, name: "Old", version: 6)))
        #expect(try await bench.chat().title == "New")
    }

    @Test("A late list of friends does not bring back who was removed", arguments: [1, 5] as [Int64])
    func removedStaysRemoved(lateVersion: Int64) async throws {
        let bench = try await StoreBench()
        _ = try await bench.store.applySync(
            SyncPage(
                cursor: "1", hasMore: false, serverTime: Samples.noon, friends: [Samples.friend(version: 1)]),
            at: bench.now)
        try await apply(bench, .friendRemoved(Removed(userID: Samples.ben, version: 5)))
        _ = try await bench.store.applySync(
            SyncPage(
                cursor: "2", hasMore: false, serverTime: Samples.noon,
                friends: [Samples.friend(version: lateVersion)]),
            at: bench.now)
        #expect(try await friends(bench).isEmpty)
        let again = Samples.friend(version: 6)
        try await apply(
            bench,
            .friendship(
                FriendshipMade(
                    request: Samples.request(
                        from: Samples.ben, to: Samples.anna, status: .accepted, version: 6),
                    friend: again)))
        #expect(try await friends(bench) == ["Ben"])
    }

    @Test("A removal of somebody unknown is remembered too")
    func removedUnknown() async throws {
        let bench = try await StoreBench(conversations: [])
        try await apply(bench, .friendRemoved(Removed(userID: Samples.ben, version: 5)))
        _ = try await bench.store.applySync(
            SyncPage(
                cursor: "1", hasMore: false, serverTime: Samples.noon, friends: [Samples.friend(version: 4)]),
            at: bench.now)
        #expect(try await friends(bench).isEmpty)
    }

    @Test("A removed friend leaves the list at once, and comes back when the server refuses")
    func removing() async throws {
        let bench = try await StoreBench()
        _ = try await bench.store.applySync(
            SyncPage(cursor: "1", hasMore: false, serverTime: Samples.noon, friends: [Samples.friend()]),
            at: bench.now)
        try await bench.store.removeFriend(Samples.ben, at: bench.now)
        #expect(try await friends(bench).isEmpty)
        let head = try #require(try await bench.store.outboxHeads().first)
        try await bench.store.markFailed(head.id, FailureReason(code: "FORBIDDEN"), because: "no")
        #expect(try await friends(bench) == ["Ben"])
        try await bench.store.retryEntry(head.id, at: bench.now)
        let again = try #require(try await bench.store.outboxHeads().first)
        _ = try await bench.store.complete(again.id, with: .done, at: bench.now)
        #expect(try await friends(bench).isEmpty)
    }

    @Test("Friends stand by name, whatever its case")
    func byName() async throws {
        let bench = try await StoreBench()
        let names = ["carl", "Ben", "Ärger", "anna"]
        let friends = names.enumerated().map { index, name in
            Friend(
                user: Samples.user(ID("\(index)"), name: name), since: Samples.noon,
                presence: Presence(userID: ID("\(index)"), online: false, lastSeenAt: nil, at: Samples.noon),
                version: 1)
        }
        _ = try await bench.store.applySync(
            SyncPage(cursor: "1", hasMore: false, serverTime: Samples.noon, friends: friends), at: bench.now)
        #expect(try await self.friends(bench) == ["anna", "Ben", "carl", "Ärger"])
    }

    @Test("Only the newest word about when somebody was last seen is kept")
    func lastSeen() async throws {
        let bench = try await StoreBench()
        _ = try await bench.store.applySync(
            SyncPage(
                cursor: "1", hasMore: false, serverTime: Samples.noon,
                friends: [Samples.friend(lastSeenAt: Samples.noon)]), at: bench.now)
        for (seconds, seen) in [(20, 19), (10, 9)] as [(Int, Int)] {
            try await apply(
                bench,
                .presence(
                    Presence(
                        userID: Samples.ben, online: false,
                        lastSeenAt: Samples.noon.advanced(by: .seconds(seen)),
                        at: Samples.noon.advanced(by: .seconds(seconds)))))
        }
        let friend = try #require(try await bench.store.read { try $0.friends() }.first)
        #expect(friend.presence?.lastSeenAt == Samples.noon.advanced(by: .seconds(19)))
    }

    @Test("Requests in both directions, the queued one first, and gone when answered")
    func requests() async throws {
        let bench = try await StoreBench()
        let carl = Samples.user(ID("019a0000-0000-7000-8000-00000000000d"), name: "Carl")
        try await apply(bench, .request(Samples.request(from: Samples.ben, to: Samples.anna)))
        bench.now = bench.now.advanced(by: .seconds(60))
        try await bench.store.sendFriendRequest(to: carl, at: bench.now)
        var items = try await bench.store.read { try $0.requests() }
        #expect(items.map(\.user.displayName) == ["Carl", "Ben"])
        #expect(items.map(\.direction) == [.outgoing, .incoming])
        #expect(items.map(\.isQueued) == [true, false])

        try await bench.store.declineFriendRequest(from: Samples.ben, at: bench.now)
        try await bench.store.cancelFriendRequest(to: carl.id, at: bench.now)
        #expect(try await bench.store.read { try $0.requests() }.isEmpty)
        let decline = try #require(try await bench.store.outboxHeads().first)
        _ = try await bench.store.claim(decline.id)
        _ = try await bench.store.complete(decline.id, with: .done, at: bench.now)
        items = try await bench.store.read { try $0.requests() }
        #expect(items.isEmpty)
    }

    @Test("An accepted request waits visibly until the server has it")
    func accepting() async throws {
        let bench = try await StoreBench()
        let request = Samples.request(from: Samples.ben, to: Samples.anna)
        try await apply(bench, .request(request))
        try await bench.store.acceptFriendRequest(from: Samples.ben, at: bench.now)
        #expect(try await bench.store.read { try $0.requests() }.map(\.isQueued) == [true])
        let head = try #require(try await bench.store.outboxHeads().first)
        #expect(try await bench.store.claim(head.id) == .acceptFriendRequest(request.id))
        _ = try await bench.store.complete(head.id, with: .friend(Samples.friend(version: 3)), at: bench.now)
        #expect(try await bench.store.read { try $0.requests() }.isEmpty)
        #expect(try await friends(bench) == ["Ben"])
    }

    @Test("A request that was answered elsewhere leaves the list, and an old record does not bring it back")
    func answeredElsewhere() async throws {
        let bench = try await StoreBench()
        try await apply(bench, .request(Samples.request(from: Samples.ben, to: Samples.anna, version: 2)))
        try await apply(
            bench,
            .request(Samples.request(from: Samples.ben, to: Samples.anna, status: .declined, version: 4)))
        try await apply(bench, .request(Samples.request(from: Samples.ben, to: Samples.anna, version: 2)))
        #expect(try await bench.store.read { try $0.requests() }.isEmpty)
    }

    @Test("Blocks are shown at once, by the newest wish, and confirmed by the server")
    func blocks() async throws {
        let bench = try await StoreBench()
        func blocked() async throws -> [ID<User>] {
            try await bench.store.read { try $0.blocked() }.map(\.id)
        }
        try await bench.store.block(Samples.ben, at: bench.now)
        #expect(try await blocked() == [Samples.ben])
        #expect(try await bench.content().header.composer == .blocked)
        let head = try #require(try await bench.store.outboxHeads().first)
        _ = try await bench.store.claim(head.id)
        _ = try await bench.store.complete(
            head.id, with: .block(Block(user: Samples.user(Samples.ben), createdAt: bench.now, version: 4)),
            at: bench.now)
        #expect(try await blocked() == [Samples.ben])
        try await bench.store.unblock(Samples.ben, at: bench.now)
        #expect(try await blocked().isEmpty)
        let page = SyncPage(
            cursor: "1", hasMore: false, serverTime: Samples.noon,
            removedBlocks: [Removed(userID: Samples.ben, version: 6)])
        _ = try await bench.store.applySync(page, at: bench.now)
        #expect(try await blocked().isEmpty)
    }

    // Field case 99
    @Test("Somebody who deleted the account leaves the friends; the chat stays, readable and closed")
    func deletedAccount() async throws {
        let bench = try await StoreBench()
        _ = try await bench.store.applySync(
            SyncPage(cursor: "1", hasMore: false, serverTime: Samples.noon, friends: [Samples.friend()]),
            at: bench.now)
        try await bench.receive((1...2).messages())
        try await bench.send(Samples.draft(1))
        try await apply(bench, .user(Samples.user(Samples.ben, version: 9, isDeleted: true)))
        #expect(try await friends(bench).isEmpty)
        var content = try await bench.content()
        #expect(content.header.composer == .peerDeleted)
        #expect(content.header.title == "Ben")
        #expect(content.header.peer?.isDeleted == true)
        #expect(content.items.map(\.body) == ["text 1", "text 2", "own 1"])
        let head = try #require(try await bench.store.outboxHeads().first)
        try await bench.store.markFailed(head.id, FailureReason(code: "USER_DELETED"), because: "gone")
        content = try await bench.content()
        #expect(content.items.last?.status == .failed(FailureReason(code: "USER_DELETED")))
    }

    @Test("Who is no friend can be read and not written to")
    func notFriends() async throws {
        let bench = try await StoreBench()
        #expect(try await bench.content().header.composer == .notFriends)
        _ = try await bench.store.applySync(
            SyncPage(cursor: "1", hasMore: false, serverTime: Samples.noon, friends: [Samples.friend()]),
            at: bench.now)
        #expect(try await bench.content().header.composer == .open)
    }

    @Test("One's own profile keeps the larger version")
    func ownProfile() async throws {
        let bench = try await StoreBench()
        var newer = Samples.me(version: 8)
        newer.about = "new"
        try await bench.store.store(newer)
        try await bench.store.store(Samples.me(version: 3))
        #expect(try await bench.store.read { try $0.profile()?.about } == "new")
    }
}
