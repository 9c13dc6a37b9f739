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
        try await bench.store.applyReceipt(
            Receipt(conversationID: Samples.chat, userID: Samples.anna, lastDeliveredSeq: 5, lastReadSeq: 5),
            at: bench.now)
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

// Field cases 11, 103
@Suite("Deleting what is not sent yet")
struct DeletingPendingTests {
    private func key(_ number: Int64) -> MessageItem.Key {
        MessageItem.Key(senderID: Samples.anna, clientMessageID: Samples.key(number))
    }

    // Field case 11
    @Test("A waiting message vanishes from chat and outbox together, and stays away after a relaunch")
    func vanishes() async throws {
        let bench = try await StoreBench(onDisk: true)
        for number in Int64(1)...3 { try await bench.send(Samples.draft(number)) }
        try await bench.store.delete(key(2), scope: .everyone, at: bench.now)
        try await bench.relaunch()
        #expect(try await bench.bodies() == ["own 1", "own 3"])
        #expect(try await bench.outbox().map(\.clientMessageID) == [Samples.key(1), Samples.key(3)])
        #expect(try await bench.count("SELECT count(*) FROM messages") == 2)
        try await bench.audit()
    }

    @Test(
        "One that may be on its way is shown as deleted, sent with its text, then deleted for everyone",
        arguments: [DeletionScope.me, .everyone])
    func onTheWay(scope: DeletionScope) async throws {
        let bench = try await StoreBench(onDisk: true)
        let draft = Samples.draft(1, "secret")
        try await bench.send(draft)
        let send = try #require(try await bench.store.outboxHeads().first)
        _ = try await bench.store.claim(send.id)
        try await bench.store.delete(key(1), scope: scope, at: bench.now)
        #expect(try await bench.content().items.map(\.isDeleted) == [true])
        #expect(try await bench.chat().preview == nil)
        try await bench.relaunch()
        #expect(try await bench.store.claim(send.id) == .send(draft))
        // The echo with the text in it does not bring it back.
        try await bench.receive([Samples.echo(draft, seq: 1)])
        #expect(try await bench.content().items.map(\.isDeleted) == [true])
        let deletion = try #require(try await bench.store.outboxHeads().first)
        #expect(try await bench.store.claim(deletion.id) == .deleteMessage(Samples.messageID(1), .everyone))
        _ = try await bench.store.complete(
            deletion.id,
            with: .message(
                Samples.message(
                    1, change: 2, from: Samples.anna, clientMessageID: draft.clientMessageID, deleted: true)),
            at: bench.now)
        #expect(try await bench.content().items.map(\.isDeleted) == [true])
        #expect(try await bench.count("SELECT count(*) FROM messages WHERE body <> ''") == 0)
        #expect(try await bench.outbox().isEmpty)
        try await bench.audit()
    }

    @Test("When the send itself is refused, nothing of the deleted message is left")
    func refusedSend() async throws {
        let bench = try await StoreBench()
        try await bench.send(Samples.draft(1))
        let send = try #require(try await bench.store.outboxHeads().first)
        _ = try await bench.store.claim(send.id)
        try await bench.store.delete(key(1), scope: .everyone, at: bench.now)
        try await bench.store.markFailed(send.id, FailureReason(code: "NOT_FRIENDS"), because: "no")
        #expect(try await bench.content().items.isEmpty)
        #expect(try await bench.outbox().isEmpty)
    }

    @Test("A failed message can be given up")
    func discardFailed() async throws {
        let bench = try await StoreBench()
        try await bench.send(Samples.draft(1))
        let send = try #require(try await bench.store.outboxHeads().first)
        _ = try await bench.store.claim(send.id)
        try await bench.store.markFailed(send.id, FailureReason(code: "NOT_FRIENDS"), because: "no")
        try await bench.store.discardEntry(send.id, at: bench.now)
        #expect(try await bench.content().items.isEmpty)
        #expect(try await bench.outbox().isEmpty)
    }

    @Test("A retried message goes to the end of the queue, on the screen too")
    func retryGoesLast() async throws {
        let bench = try await StoreBench()
        for number in Int64(1)...3 { try await bench.send(Samples.draft(number)) }
        let first = try #require(try await bench.store.outboxHeads().first)
        _ = try await bench.store.claim(first.id)
        try await bench.store.markFailed(first.id, FailureReason(code: "FORBIDDEN"), because: "no")
        #expect(try await bench.store.outboxHeads().map(\.id) == [first.id + 1])
        try await bench.store.retry(Samples.key(1), at: bench.now)
        #expect(try await bench.bodies() == ["own 2", "own 3", "own 1"])
        #expect(try await bench.outbox().map(\.clientMessageID) == [2, 3, 1].map { Samples.key($0) })
        #expect(try await bench.outbox().map(\.attempts) == [0, 0, 0])
        await #expect(throws: StoreError.noSuchMessage) {
            try await bench.store.retry(Samples.key(1), at: bench.now)
        }
        try await bench.audit()
    }

    @Test("A refused deletion shows the message again")
    func refusedDeletion() async throws {
        let bench = try await StoreBench()
        try await bench.receive((1...1).messages())
        let item = try #require(try await bench.content().items.first)
        try await bench.store.delete(item.id, scope: .me, at: bench.now)
        #expect(try await bench.content().items.isEmpty)
        #expect(try await bench.unread() == 0)
        let head = try #require(try await bench.store.outboxHeads().first)
        #expect(try await bench.store.claim(head.id) == .deleteMessage(Samples.messageID(1), .me))
        try await bench.store.markFailed(head.id, FailureReason(code: "FORBIDDEN"), because: "no")
        #expect(try await bench.bodies() == ["text 1"])
        #expect(try await bench.unread() == 1)
        try await bench.audit()
    }

    @Test("A message that the server does not have any more goes away here too")
    func alreadyGone() async throws {
        let bench = try await StoreBench()
        try await bench.receive((1...1).messages())
        let item = try #require(try await bench.content().items.first)
        try await bench.store.delete(item.id, scope: .me, at: bench.now)
        try await bench.store.settle(try #require(try await bench.store.outboxHeads().first).id)
        #expect(try await bench.content().items.isEmpty)
        #expect(try await bench.outbox().isEmpty)
        try await bench.audit()
    }

    @Test("Deleting twice is one action")
    func twice() async throws {
        let bench = try await StoreBench()
        try await bench.receive((1...1).messages())
        let item = try #require(try await bench.content().items.first)
        for _ in 0..<3 { try await bench.store.delete(item.id, scope: .me, at: bench.now) }
        #expect(try await bench.outbox().count == 1)
    }

    @Test("An unknown message cannot be deleted")
    func unknown() async throws {
        let bench = try await StoreBench()
        await #expect(throws: StoreError.noSuchMessage) {
            try await bench.store.delete(key(9), scope: .me, at: bench.now)
        }
    }
}

@Suite("Entries on their way")
struct EntryTests {
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
