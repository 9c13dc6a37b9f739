import ChatterModel

/// What the server is told of what was delivered and read, and how frames leave.
extension SyncEngine {
    @discardableResult
    func sendDelivered(_ id: ID<Conversation>, _ seq: Int64) async -> Bool {
        let watermark = Watermark(conversationID: id, seq: seq)
        return await send(ClientFrame(.receiptDelivered(watermark), id: Self.deliveredFrame(id)))
    }

    func refusedDelivered(_ id: ID<Conversation>, _ error: ClientError) {
        switch error.failureClass {
        case .outage, .fault, .success:
            receipts.refused(id, retryAfter: error.retryAfter, at: clock.monotonic)
            scheduleReceipts()
        // Made anew with the next connection.
        case .unauthorised, .refusal: receipts.dropped(id)
        }
    }

    private func scheduleReceipts() {
        receiptTask?.cancel()
        guard let due = receipts.nextDue else { return }
        receiptTask = Task { [clock] in
            do {
                try await clock.sleep(until: due)
            } catch {
                return  // Another time was set.
            }
            await self.sendDueReceipts()
        }
    }

    private func sendDueReceipts() async {
        // Let go of first: it is this task, and must not be cancelled by what comes after it.
        receiptTask = nil
        let due = receipts.due(at: clock.monotonic)
        scheduleReceipts()
        for watermark in due { await sendDelivered(watermark.conversationID, watermark.seq) }
    }

    func readVisible(_ conversations: Set<ID<Conversation>>) async {
        var isQueued = false
        for id in conversations {
            do {
                if try await store.markVisibleRead(id, at: clock.now, quiet: ReceiptScheduler.quiet) {
                    isQueued = true
                }
            } catch {
                await storageFailed(error)
            }
        }
        if isQueued { await outbox.drain() }
    }

    private static func deliveredFrame(_ id: ID<Conversation>) -> String { "delivered-\(id)" }

    static func deliveredConversation(_ frameID: String) -> ID<Conversation>? {
        frameID.hasPrefix("delivered-") ? ID(String(frameID.dropFirst("delivered-".count))) : nil
    }

    /// A frame that may be lost: whoever needs an answer asks again with the next connection. False: the session is over.
    @discardableResult
    func send(_ frame: ClientFrame) async -> Bool {
        guard let link else { return false }
        let generation = generation
        do throws(ClientError) {
            try await link.send(frame)
            return true
        } catch {
            await linkFailed(generation)
            return false
        }
    }

    func nextFrameID(_ name: String) -> String {
        frameCount += 1
        return "\(name)-\(frameCount)"
    }
}
