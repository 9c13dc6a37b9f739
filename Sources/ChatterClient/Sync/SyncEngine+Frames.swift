import ChatterModel

/// What the frames of a session say: stored first, then followed.
extension SyncEngine {
    func apply(_ frames: [ServerFrame]) async {
        let generation = generation
        let stored = frames.compactMap { storedEvent($0) }
        do {
            let outcome = try await store.apply(stored, at: clock.now)
            guard generation == self.generation, plan.isConnected else {
                // The connection is gone; what was stored still settles what it settles.
                return await outbox.settled(outcome.settled)
            }
            for frame in frames { await follow(frame) }
            await merged(outcome)
        } catch {
            await giveUp(generation, error)
        }
    }

    private func storedEvent(_ frame: ServerFrame) -> StoredEvent? {
        switch frame.event {
        case .messageNew(let message), .messageUpdated(let message): .message(message)
        case .messageAck(let ack): .ack(ack)
        case .receiptUpdated(let receipt): .receipt(receipt)
        case .conversationUpdated(let conversation): .conversation(conversation)
        case .friendRequestReceived(let request), .friendRequestDeclined(let request),
            .friendRequestCancelled(let request):
            .request(request)
        case .friendRequestAccepted(let made): .friendship(made)
        case .friendRemoved(let removed): .friendRemoved(removed)
        case .userUpdated(let user): .user(user)
        case .presenceUpdated(let presence): .presence(presence)
        case .syncComplete(let complete): completion(complete, frame.id)
        case .sessionReady, .typing, .syncChanged, .error, .pong, .unknown: nil
        }
    }

    private func completion(_ complete: SyncComplete, _ frameID: String?) -> StoredEvent? {
        guard let frameID, let asked = plan.asked(by: frameID) else { return nil }
        let isWhole = plan.isWhole(frameID, unreadable: link?.unreadableFrames ?? 0)
        return .completed(complete, asked: asked, isWhole: isWhole)
    }

    /// What a frame means besides its row.
    private func follow(_ frame: ServerFrame) async {
        switch frame.event {
        case .messageNew(let message):
            plan.renew(.messages(message.conversationID))
            typing.arrived(message)
            publishLive()
        case .typing(let heard):
            typing.heard(heard, at: clock.monotonic)
            publishLive()
            scheduleTyping()
        case .presenceUpdated(let heard):
            presence.heard(heard)
            publishLive()
        case .friendRequestAccepted(let made):
            presence.heard(made.friend.presence)
            publishLive()
        case .friendRemoved(let removed):
            presence.removed(removed.userID)
            publishLive()
        case .receiptUpdated(let receipt): await followReceipt(receipt, frame.id)
        case .messageUpdated(let message): plan.renew(.messages(message.conversationID))
        case .conversationUpdated(let conversation): plan.renew(.messages(conversation.id))
        case .syncChanged:
            plan.renew(.records)
            plan.want(.records)
        case .syncComplete: if let id = frame.id { plan.answered(id) }
        case .error(let error): await followError(error, frame.id)
        case .messageAck, .friendRequestReceived, .friendRequestDeclined, .friendRequestCancelled,
            .userUpdated, .sessionReady, .pong, .unknown:
            break
        }
    }

    private func followReceipt(_ receipt: Receipt, _ frameID: String?) async {
        guard receipt.userID == store.me else { return }
        if let frameID { await outbox.replied(frameID) }
        if let seq = receipts.delivered(receipt.conversationID) {
            await sendDelivered(receipt.conversationID, seq)
        }
    }

    private func followError(_ error: FrameError, _ frameID: String?) async {
        if error.code == ErrorCode.startOver.rawValue { return await startOver() }
        if let frameID, plan.asked(by: frameID) != nil {
            // The stream will not come: the same is fetched by REST.
            await fallBack(frameID)
        }
        if let conversation = frameID.flatMap(Self.deliveredConversation) {
            refusedDelivered(conversation, ClientError(error))
        }
        await outbox.refused(error, frameID: frameID)
    }

    /// What a merge asks for, whichever way it came.
    func merged(_ outcome: MergeOutcome) async {
        await outbox.settled(outcome.settled)
        if outcome.releasedSends { await outbox.drain() }
        if outcome.needsSync { plan.want(.records) }
        for (id, standing) in outcome.standings {
            if standing.need != .nothing, !plan.isStreaming(id) { plan.want(.messages(id)) }
            if let seq = standing.deliverable, plan.isConnected, let next = receipts.deliver(id, seq) {
                await sendDelivered(id, next)
            }
        }
        await readVisible(receipts.read.intersection(outcome.standings.keys))
        runJobs()
    }

    func heard(_ friends: [Friend]) {
        for friend in friends { presence.heard(friend.presence) }
        publishLive()
    }
}
