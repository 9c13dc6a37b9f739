import ChatterModel

/// What has not reached the server yet.
public struct OutboxRepository: Sendable {
    let keeper: SessionKeeper

    /// In the order they were made. Ends at sign-out.
    public func items() -> AsyncStream<[OutboxItem]> {
        keeper.stream(
            LiveQuery.Parts(tables: [.outbox]) {
                try $0.outboxItems()
            } show: { items, _ in
                items
            })
    }

    /// Queues a failed entry again.
    public func retry(_ id: OutboxItem.ID) async throws(ClientError) {
        try await keeper.queue { try await $0.retryEntry(id, at: $1) }
    }

    /// Gives a failed or waiting entry up and undoes what it showed.
    public func discard(_ id: OutboxItem.ID) async throws(ClientError) {
        try await keeper.queue { try await $0.discardEntry(id, at: $1) }
    }
}
