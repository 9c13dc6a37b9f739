import ChatterModel

/// What has not reached the server yet.
public struct OutboxRepository: Sendable {
    /// In the order they were made. Ends at sign-out.
    public func items() -> AsyncStream<[OutboxItem]> { .empty }

    /// Queues a failed entry again.
    public func retry(_ id: OutboxItem.ID) async throws(ClientError) { throw .notBuilt }

    /// Gives a failed or waiting entry up and undoes what it showed.
    public func discard(_ id: OutboxItem.ID) async throws(ClientError) { throw .notBuilt }
}

extension ClientError {
    static let notBuilt = ClientError(.closed, "not built yet")
}

extension AsyncStream {
    static var empty: AsyncStream { AsyncStream { $0.finish() } }
}
