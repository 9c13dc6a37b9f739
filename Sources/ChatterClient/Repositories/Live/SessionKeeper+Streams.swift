import ChatterModel

extension SessionKeeper {
    /// A stream for one screen. It ends at sign-out; without anybody signed in it is empty. While the database fails it
    /// waits and tries again.
    nonisolated func stream<Stored: Sendable, Shown: Sendable & Equatable>(
        _ parts: LiveQuery<Stored, Shown>.Parts
    ) -> AsyncStream<Shown> {
        stream { account in
            let query = LiveQuery(account, parts)
            return { () async throws(ClientError) in try await query.next() }
        }
    }

    /// As above, for a stream whose values `start` gives one by one.
    nonisolated func stream<Value: Sendable>(
        _ start: @escaping @Sendable (Account) -> @Sendable () async throws(ClientError) -> Value?
    ) -> AsyncStream<Value> {
        let source = StreamSource(start)
        return AsyncStream {
            do throws(ClientError) {
                return try await source.next(from: self)
            } catch {
                await self.note(error)
                return nil
            }
        }
    }
}

/// Starts with the first pull.
private actor StreamSource<Value: Sendable> {
    private let start: @Sendable (Account) -> @Sendable () async throws(ClientError) -> Value?
    private var pull: (@Sendable () async throws(ClientError) -> Value?)?

    init(_ start: @escaping @Sendable (Account) -> @Sendable () async throws(ClientError) -> Value?) {
        self.start = start
    }

    func next(from keeper: SessionKeeper) async throws(ClientError) -> Value? {
        if let pull { return try await pull() }
        let pull = start(try await keeper.current())
        self.pull = pull
        return try await pull()
    }
}
