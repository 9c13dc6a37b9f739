import ChatterModel

/// What the server is told of what was delivered and read, and how frames leave.
extension SyncEngine {
    func sendDelivered(_ id: ID<Conversation>, _ seq: Int64) async {
        let watermark = Watermark(conversationID: id, seq: seq)
        await send(ClientFrame(.receiptDelivered(watermark), id: Self.deliveredFrame(id)))
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

    /// A frame that may be lost: whoever needs an answer asks again with the next connection.
    func send(_ frame: ClientFrame) async {
        do throws(ClientError) {
            try await connection.send(frame)
        } catch {
            // The connection's own end tells the same, and starts everything anew.
        }
    }

    func nextFrameID(_ name: String) -> String {
        frameCount += 1
        return "\(name)-\(frameCount)"
    }
}
