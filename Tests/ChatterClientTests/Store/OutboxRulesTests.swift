import ChatterModel
import Testing

@testable import ChatterClient

@Suite("Actions that have not left melt together or cancel out")
struct MeltingTests {
    private func kinds(_ bench: StoreBench) async throws -> [String] { try await bench.outbox().map(\.kind) }

    private func claimFirst(_ bench: StoreBench) async throws -> OutboxCall? {
        try await bench.store.claim(try #require(try await bench.store.outboxHeads().first).id)
    }

    @Test("Muting and unmuting before it left leaves nothing")
    func muteUnmute() async throws {
        let bench = try await StoreBench()
        try await bench.store.edit(EditSettings(mutedUntil: .distantFuture), of: Samples.chat, at: bench.now)
        #expect(try await bench.chat().isMuted)
        try await bench.store.edit(EditSettings(unmute: true), of: Samples.chat, at: bench.now)
        #expect(try await bench.chat().isMuted == false)
        #expect(try await bench.outbox().isEmpty)
    }

    @Test("Archive and pin toggled many times are one action with the last wish, or none")
    func toggles() async throws {
        let bench = try await StoreBench()
        for round in 0..<7 {
            try await bench.store.edit(
                EditSettings(archived: round % 2 == 0, pinned: round % 2 == 1), of: Samples.chat,
                at: bench.now)
        }
        #expect(try await claimFirst(bench) == .editSettings(Samples.chat, EditSettings(archived: true)))
        #expect(try await bench.chat().isArchived)
        #expect(try await bench.chat().isPinned == false)
    }

    @Test("Different settings of a chat travel together")
    func settingsMelt() async throws {
        let bench = try await StoreBench()
        let until = bench.now.advanced(by: .seconds(3600))
        try await bench.store.edit(EditSettings(mutedUntil: until), of: Samples.chat, at: bench.now)
        try await bench.store.edit(EditSettings(pinned: true), of: Samples.chat, at: bench.now)
        #expect(
            try await claimFirst(bench)
                == .editSettings(Samples.chat, EditSettings(mutedUntil: until, pinned: true)))
    }

    @Test("What may have left is not taken back: the opposite follows it")
    func mayHaveLeft() async throws {
        let bench = try await StoreBench()
        try await bench.store.edit(EditSettings(archived: true), of: Samples.chat, at: bench.now)
        _ = try await claimFirst(bench)
        try await bench.store.edit(EditSettings(archived: false), of: Samples.chat, at: bench.now)
        #expect(try await kinds(bench) == ["settings.edit", "settings.edit"])
        #expect(try await bench.chat().isArchived == false)
        // Toggled again, the second one is replaced by the wish that holds now.
        try await bench.store.edit(EditSettings(archived: true), of: Samples.chat, at: bench.now)
        #expect(try await kinds(bench) == ["settings.edit", "settings.edit"])
        #expect(try await bench.chat().isArchived)
    }

    @Test("A waiting wish is shown over what the server says of the rest")
    func waitingOverServer() async throws {
        let bench = try await StoreBench()
        try await bench.store.edit(EditSettings(pinned: true), of: Samples.chat, at: bench.now)
        let fromServer = ConversationSettings(mutedUntil: .distantFuture, archived: true, pinned: false)
        _ = try await bench.store.store(Samples.conversation(version: 5, settings: fromServer), at: bench.now)
        let chat = try await bench.chat()
        #expect(chat.isPinned && chat.isArchived && chat.isMuted)
    }

    @Test("A refused setting goes back to what the server has")
    func refusedSetting() async throws {
        let bench = try await StoreBench()
        try await bench.store.edit(EditSettings(archived: true), of: Samples.chat, at: bench.now)
        let head = try #require(try await bench.store.outboxHeads().first)
        try await bench.store.markFailed(head.id, FailureReason(code: "FORBIDDEN"), because: "no")
        #expect(try await bench.chat().isArchived == false)
        #expect(try await bench.outbox().map(\.state) == [.failed(FailureReason(code: "FORBIDDEN"))])
        try await bench.store.retryEntry(head.id, at: bench.now)
        #expect(try await bench.chat().isArchived)
        try await bench.store.discardEntry(
            try #require(try await bench.outbox().first).id, at: bench.now)
        #expect(try await bench.chat().isArchived == false)
        #expect(try await bench.outbox().isEmpty)
    }

    @Test("Profile edits melt; what the server already has is not sent")
    func profile() async throws {
        let bench = try await StoreBench()
        _ = try await bench.store.edit(EditProfile(displayName: "A"), at: bench.now)
        _ = try await bench.store.edit(EditProfile(about: "hi"), at: bench.now)
        _ = try await bench.store.edit(EditProfile(displayName: "Anna B"), at: bench.now)
        #expect(try await bench.store.read { try $0.profile()?.displayName } == "Anna B")
        #expect(try await kinds(bench) == ["profile.edit"])
        #expect(try await bench.store.edit(EditProfile(displayName: "Anna", about: ""), at: bench.now) == nil)
        #expect(try await bench.outbox().isEmpty)
    }

    @Test("Reads of a chat are one receipt with the largest seq")
    func receipts() async throws {
        let bench = try await StoreBench()
        try await bench.receive((1...9).messages())
        for seq in [2, 5, 4, 9, 7] as [Int64] {
            try await bench.store.markRead(Samples.chat, upTo: seq, at: bench.now)
        }
        #expect(try await kinds(bench) == ["receipt.read"])
        #expect(try await claimFirst(bench) == .read(Watermark(conversationID: Samples.chat, seq: 9)))
    }

    @Test("A receipt under way is not changed: what is read meanwhile follows it")
    func receiptUnderWay() async throws {
        let bench = try await StoreBench()
        try await bench.receive((1...9).messages())
        try await bench.store.markRead(Samples.chat, upTo: 3, at: bench.now)
        let id = try #require(try await bench.store.outboxHeads().first).id
        _ = try await bench.store.claim(id)
        try await bench.store.markRead(Samples.chat, upTo: 6, at: bench.now)
        _ = try await bench.store.complete(id, with: .done, at: bench.now)
        #expect(try await claimFirst(bench) == .read(Watermark(conversationID: Samples.chat, seq: 6)))
    }

    @Test("What another device has read already is not reported")
    func readElsewhere() async throws {
        let bench = try await StoreBench()
        try await bench.receive((1...9).messages())
        try await bench.store.markRead(Samples.chat, upTo: 3, at: bench.now)
        try await bench.apply(
            Receipt(conversationID: Samples.chat, userID: Samples.anna, lastDeliveredSeq: 5, lastReadSeq: 5))
        #expect(try await claimFirst(bench) == nil)
        #expect(try await bench.outbox().isEmpty)
    }

    @Test(
        "Opposite actions on a person leave nothing; a repetition changes nothing",
        arguments: [
            [OutboxAction.block(Samples.ben), .unblock(Samples.ben)],
            [.unblock(Samples.ben), .block(Samples.ben)],
            [.sendFriendRequest(Samples.ben), .cancelFriendRequest(Samples.ben)],
            [
                .sendFriendRequest(Samples.ben), .sendFriendRequest(Samples.ben),
                .cancelFriendRequest(Samples.ben),
            ],
        ])
    func opposites(actions: [OutboxAction]) async throws {
        let bench = try await StoreBench()
        let now = bench.now
        try await bench.store.write { context in
            for action in actions { try context.queuePerson(action, at: now) }
        }
        #expect(try await bench.outbox().isEmpty)
    }

    @Test("A changed mind about a request replaces the first answer")
    func acceptOrDecline() async throws {
        let bench = try await StoreBench()
        let request = Samples.request(from: Samples.ben, to: Samples.anna)
        _ = try await bench.store.apply([.request(request)], at: bench.now)
        try await bench.store.acceptFriendRequest(from: Samples.ben, at: bench.now)
        try await bench.store.declineFriendRequest(from: Samples.ben, at: bench.now)
        #expect(try await kinds(bench) == ["friend.decline"])
        #expect(try await claimFirst(bench) == .declineFriendRequest(request.id))
    }

    @Test("A request that was cancelled after it left is cancelled by the id that the server gave it")
    func cancelAfterLeaving() async throws {
        let bench = try await StoreBench()
        try await bench.store.sendFriendRequest(to: Samples.user(Samples.ben), at: bench.now)
        let id = try #require(try await bench.store.outboxHeads().first).id
        _ = try await bench.store.claim(id)
        try await bench.store.cancelFriendRequest(to: Samples.ben, at: bench.now)
        let request = Samples.request(from: Samples.anna, to: Samples.ben)
        _ = try await bench.store.complete(id, with: .friendRequest(request), at: bench.now)
        #expect(try await claimFirst(bench) == .cancelFriendRequest(request.id))
    }

    @Test("Cancelling a request that became a friendship meanwhile has nothing to do")
    func cancelOfAccepted() async throws {
        let bench = try await StoreBench()
        try await bench.store.sendFriendRequest(to: Samples.user(Samples.ben), at: bench.now)
        let id = try #require(try await bench.store.outboxHeads().first).id
        _ = try await bench.store.claim(id)
        try await bench.store.cancelFriendRequest(to: Samples.ben, at: bench.now)
        let accepted = Samples.request(from: Samples.anna, to: Samples.ben, status: .accepted)
        _ = try await bench.store.complete(id, with: .friendRequest(accepted), at: bench.now)
        #expect(try await claimFirst(bench) == nil)
        #expect(try await bench.outbox().isEmpty)
    }
}
