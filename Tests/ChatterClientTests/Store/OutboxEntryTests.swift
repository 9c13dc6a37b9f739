import ChatterModel
import Testing

@testable import ChatterClient

@Suite("Entries on their way")
struct OutboxEntryTests {
    @Test("An attempt is counted before it is made, so that a crash cannot hide it")
    func countedFirst() async throws {
        let bench = try await StoreBench(onDisk: true)
        try await bench.send(Samples.draft(1))
        let id = try #require(try await bench.store.outboxHeads().first).id
        _ = try await bench.store.claim(id)
        try await bench.relaunch()
        #expect(try await bench.outbox().map(\.attempts) == [1])
    }

    @Test("A reconnect wakes sleepers, but not those whom the server told to wait")
    func wakes() async throws {
        let bench = try await StoreBench(
            conversations: [Samples.conversation(), Samples.conversation(Samples.otherChat)])
        try await bench.send(Samples.draft(1))
        try await bench.send(Samples.draft(2, in: Samples.otherChat))
        let heads = try await bench.store.outboxHeads()
        let later = bench.now.advanced(by: .seconds(60))
        try await bench.store.postpone(heads[0].id, until: later, isHeld: false, faults: 2, because: "x")
        try await bench.store.postpone(heads[1].id, until: later, isHeld: true, faults: 0, because: "y")
        try await bench.store.wakeOutbox()
        let woken = try await bench.store.outboxHeads()
        #expect(woken.map(\.nextAttemptAt) == [nil, later])
        #expect(woken.map(\.isHeld) == [false, true])
        #expect(woken.map(\.faults) == [2, 0])
    }

    @Test("An entry that is gone cannot be claimed, completed or failed")
    func gone() async throws {
        let bench = try await StoreBench()
        #expect(try await bench.store.claim(9) == nil)
        _ = try await bench.store.complete(9, with: .done, at: bench.now)
        try await bench.store.markFailed(9, .serverFault, because: "no")
        await #expect(throws: StoreError.noSuchEntry) { try await bench.store.retryEntry(9, at: bench.now) }
        await #expect(throws: StoreError.noSuchEntry) { try await bench.store.discardEntry(9, at: bench.now) }
    }

    @Test("The ids of entries are never given twice")
    func idsAreNotReused() async throws {
        let bench = try await StoreBench()
        try await bench.send(Samples.draft(1))
        let first = try #require(try await bench.outbox().first).id
        try await bench.store.discard(Samples.key(1), at: bench.now)
        try await bench.send(Samples.draft(2))
        #expect(try #require(try await bench.outbox().first).id > first)
    }

    @Test("Every kind of action comes back from the database as it went in")
    func codes() async throws {
        let bench = try await StoreBench()
        let actions: [OutboxAction] = [
            .send(Samples.draft(1, "text")),
            .deleteMessage(
                OutboxAction.MessageDeletion(
                    conversationID: Samples.chat, messageID: nil, clientMessageID: Samples.key(2),
                    scope: .everyone)),
            .read(Watermark(conversationID: Samples.chat, seq: 7)),
            .editSettings(
                OutboxAction.SettingsEdit(
                    conversationID: Samples.chat, edit: EditSettings(mutedUntil: .distantFuture, pinned: true)
                )),
            .editProfile(EditProfile(about: "", lastSeenVisibility: .nobody)),
            .sendFriendRequest(Samples.ben),
            .cancelFriendRequest(Samples.ben), .acceptFriendRequest(Samples.ben),
            .declineFriendRequest(Samples.ben), .removeFriend(Samples.ben), .block(Samples.ben),
            .unblock(Samples.ben),
        ]
        #expect(Set(actions.map(\.kind)) == Set(OutboxAction.Kind.allCases))
        let now = bench.now
        for action in actions {
            let id = try await bench.store.write { try $0.append(action, at: now) }
            #expect(try await bench.store.read { try $0.entry(id)?.action } == action)
        }
    }

    @Test("The names in the database never change")
    func kindNames() {
        #expect(
            OutboxAction.Kind.allCases.map(\.rawValue) == [
                "message.send", "message.delete", "receipt.read", "settings.edit", "profile.edit",
                "friend.request",
                "friend.cancel", "friend.accept", "friend.decline", "friend.remove", "block.add",
                "block.remove",
            ])
    }

    @Test("Counts by lane, and of what failed")
    func counts() async throws {
        let bench = try await StoreBench()
        for number in Int64(1)...3 { try await bench.send(Samples.draft(number)) }
        try await bench.store.block(Samples.ben, at: bench.now)
        try await bench.store.markFailed(
            try #require(try await bench.store.outboxHeads().first).id, .serverFault, because: "x")
        #expect(
            try await bench.store.read { try $0.queued() } == [
                Samples.chat.rawValue: 2, "person:\(Samples.ben)": 1,
            ])
        #expect(try await bench.store.read { try $0.failedCount() } == 1)
    }
}
