import ChatterClient
import ChatterModel

/// Somebody signed in, with the client that is open for them.
struct Account: Sendable {
    let profile: Profile
    let client: ChatterClient
    let me: Me
    let timeout: Duration
    let console: Console

    /// Waits until everything is up to date; false when the server cannot be reached in time. Without patience the
    /// first failed attempt is the answer.
    func connect(patiently: Bool = false) async throws -> Bool {
        let state = await firstValue(of: client.connection, within: timeout) { state in
            switch state {
            case .online: true
            case .offline(.failed, _), .offline(.noNetwork, _): !patiently
            case .offline(.signedOut, _): true
            case .offline(.stopped, _), .connecting, .syncing: false
            }
        }
        if case .offline(.signedOut, _) = state { throw Failure.signedOutElsewhere }
        return state == .online
    }

    /// After something was queued: waits until the server has it, and says what became of it.
    /// - Throws: `refused` with the reason, after undoing the entry; `offline` when it still waits.
    func finish(_ kind: String? = nil, since before: Set<OutboxItem.ID>) async throws {
        if try await client.settle(timeout: timeout), let failed = try await newFailure(since: before) {
            try await client.outbox.discard(failed.item.id)
            throw Failure(.refused, code: failed.reason.code, Words.failure(failed.reason))
        }
        guard try await client.outbox.now().allSatisfy({ before.contains($0.id) }) else {
            throw Failure(
                .offline, "The server can't be reached. It is queued and goes out with the next connection.")
        }
    }

    private func newFailure(
        since before: Set<OutboxItem.ID>
    ) async throws -> (item: OutboxItem, reason: FailureReason)? {
        for item in try await client.outbox.now() where !before.contains(item.id) {
            if case .failed(let reason) = item.state { return (item, reason) }
        }
        return nil
    }

    /// Does something that is queued and waits for its end.
    func perform(_ action: () async throws(ClientError) -> Void) async throws {
        let before = Set(try await client.outbox.now().map(\.id))
        try await action()
        try await finish(since: before)
    }
}

extension OutboxRepository {
    /// What it holds at this moment.
    func now() async throws -> [OutboxItem] {
        guard let items = await items().first(where: { _ in true }) else { throw Failure.notSignedIn }
        return items
    }
}

/// The first value that fits, or the last one seen when `limit` ends first; nil when the stream ends.
func firstValue<Value: Sendable>(
    of stream: AsyncStream<Value>, within limit: Duration, where fits: @escaping @Sendable (Value) -> Bool
) async -> Value? {
    await withTaskGroup(of: Value?.self) { group in
        group.addTask {
            var last: Value?
            for await value in stream {
                last = value
                if fits(value) { break }
            }
            return last
        }
        group.addTask {
            // Only a cancelled wait throws: then the value was there first.
            try? await ContinuousClock().sleep(for: limit)
            return nil
        }
        let first = await group.next() ?? nil
        group.cancelAll()
        // When time ended first, the cancelled stream still hands over the last value it saw.
        return if let first { first } else { await group.next() ?? nil }
    }
}
