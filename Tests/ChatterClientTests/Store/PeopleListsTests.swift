import ChatterModel
import Testing

@testable import ChatterClient

@Suite("Lists of people")
struct PeopleListsTests {
    private func person(_ number: Int) -> ID<User> { ID("019a0000-0000-7000-8000-0000000000e\(number)") }

    private func requests(_ bench: StoreBench) async throws -> [RequestItem] {
        try await bench.store.read { try $0.requests() }
    }

    private func blocked(_ bench: StoreBench) async throws -> [ID<User>] {
        try await bench.store.read { try $0.blocked() }.map(\.id)
    }

    @Test("Friends of one name stand in the order of their ids; without a name the username counts")
    func sameName() async throws {
        let bench = try await StoreBench()
        let names: [(Int, String?)] = [(3, "Kim"), (1, "Kim"), (2, nil), (4, "kim")]
        let friends = names.map { number, name in
            var friend = Samples.friend(person(number))
            friend.user.displayName = name
            friend.user.username = "abel\(number)"
            return friend
        }
        _ = try await bench.store.applySync(
            SyncPage(cursor: "1", hasMore: false, serverTime: Samples.noon, friends: friends), at: bench.now)
        let shown = try await bench.store.read { try $0.friends() }.map(\.id)
        #expect(shown == [2, 1, 3, 4].map { person($0) })
    }

    @Test(
        "Of requests only pending ones with living people are shown, the newest first", arguments: [1, 2, 3])
    func pendingRequests(newest: Int) async throws {
        let bench = try await StoreBench()
        let states: [FriendRequest.Status] = [.pending, .pending, .pending, .declined, .accepted, .cancelled]
        for (index, status) in states.enumerated() {
            var request = Samples.request(
                from: person(index + 1), to: Samples.anna, index + 1, status: status)
            if index + 1 == newest { request.createdAt = Samples.noon.advanced(by: .seconds(9)) }
            _ = try await bench.store.apply([.request(request)], at: bench.now)
        }
        let others = [3, 2, 1].filter { $0 != newest }
        #expect(try await requests(bench).map(\.id) == ([newest] + others).map { person($0) })
        let gone = Samples.user(person(newest), version: 9, isDeleted: true)
        _ = try await bench.store.apply([.user(gone)], at: bench.now)
        #expect(try await requests(bench).map(\.id) == others.map { person($0) })
    }

    @Test("A request is in the list once, while it waits, once it was sent, and when the echo comes first")
    func onlyOnce() async throws {
        let bench = try await StoreBench()
        try await bench.store.sendFriendRequest(to: Samples.user(Samples.ben), at: bench.now)
        #expect(try await requests(bench).map(\.isQueued) == [true])
        let request = Samples.request(from: Samples.anna, to: Samples.ben)
        _ = try await bench.store.apply([.request(request)], at: bench.now)
        #expect(try await requests(bench).map(\.direction) == [.outgoing])
        let head = try #require(try await bench.store.outboxHeads().first)
        _ = try await bench.store.complete(head.id, with: .friendRequest(request), at: bench.now)
        #expect(try await requests(bench).map(\.isQueued) == [false])
    }

    @Test("A refused answer to a request shows the request again", arguments: [true, false])
    func refusedAnswer(isAccept: Bool) async throws {
        let bench = try await StoreBench()
        let request = Samples.request(from: Samples.ben, to: Samples.anna)
        _ = try await bench.store.apply([.request(request)], at: bench.now)
        if isAccept {
            try await bench.store.acceptFriendRequest(from: Samples.ben, at: bench.now)
        } else {
            try await bench.store.declineFriendRequest(from: Samples.ben, at: bench.now)
        }
        let head = try #require(try await bench.store.outboxHeads().first)
        try await bench.store.markFailed(head.id, FailureReason(code: "FORBIDDEN"), because: "no")
        #expect(try await requests(bench).map(\.isQueued) == [false])
        #expect(try await requests(bench).map(\.direction) == [.incoming])
    }

    @Test("The blocked stand by the time of their block, the newest first; a refused unblock comes back")
    func blockedOrder() async throws {
        let bench = try await StoreBench()
        let blocks = (1...3).map { number in
            Block(
                user: Samples.user(person(number)),
                createdAt: Samples.noon.advanced(by: .seconds(number == 2 ? 99 : number)), version: 2)
        }
        _ = try await bench.store.applySync(
            SyncPage(cursor: "1", hasMore: false, serverTime: Samples.noon, blocks: blocks), at: bench.now)
        #expect(try await blocked(bench) == [2, 3, 1].map { person($0) })
        try await bench.store.unblock(person(3), at: bench.now)
        #expect(try await blocked(bench) == [2, 1].map { person($0) })
        let head = try #require(try await bench.store.outboxHeads().first)
        try await bench.store.markFailed(head.id, .serverFault, because: "no")
        #expect(try await blocked(bench) == [2, 3, 1].map { person($0) })
    }

    @Test("A late record of a block does not undo its removal, nor the other way round")
    func lateBlock() async throws {
        let bench = try await StoreBench()
        func page(_ blocks: [Block], _ removed: [Removed]) -> SyncPage {
            SyncPage(
                cursor: "1", hasMore: false, serverTime: Samples.noon, blocks: blocks, removedBlocks: removed)
        }
        func block(_ version: Int64) -> Block {
            Block(user: Samples.user(Samples.ben), createdAt: Samples.noon, version: version)
        }
        _ = try await bench.store.applySync(
            page([], [Removed(userID: Samples.ben, version: 5)]), at: bench.now)
        _ = try await bench.store.applySync(page([block(4)], []), at: bench.now)
        #expect(try await blocked(bench).isEmpty)
        _ = try await bench.store.applySync(page([block(6)], []), at: bench.now)
        _ = try await bench.store.applySync(
            page([], [Removed(userID: Samples.ben, version: 5)]), at: bench.now)
        #expect(try await blocked(bench) == [Samples.ben])
    }
}
