import ChatterClient
import ChatterModel

/// Somebody signed in, with the client that is open for them.
struct Account: Sendable {
    let profile: Profile
    let client: ChatterClient
    let me: Me
    let timeout: Duration
    let console: Console
    /// A try to bring what is stored here up to date has failed: it is shown as it is, and nobody waits again.
    private(set) var isOffline = false

    /// Waits until everything is up to date; false when the server cannot be reached in time.
    func connect() async throws -> Bool {
        guard !isOffline else { return false }
        return try isOnline(await client.reach(within: timeout))
    }

    /// Brings what is stored up to date without waiting long. With nothing to show there is nothing to do but wait.
    mutating func refresh() async throws {
        let state =
            await known().isEmpty
            ? client.reach(within: timeout) : client.reachSoon(within: timeout)
        isOffline = try !isOnline(state)
    }

    private func isOnline(_ state: ConnectionState?) throws -> Bool {
        if case .offline(.signedOut, _) = state { throw Failure.signedOutElsewhere }
        return state == .online
    }

    /// A list for programs, which says when it may be out of date.
    func list<Item: Encodable>(_ items: [Item]) -> ListShape<Item> {
        ListShape(items: items, offline: isOffline ? true : nil)
    }

    /// After something was queued: waits until the server has it, and says what became of it.
    /// - Throws: `refused` with the reason, after undoing the entry; `offline` when it still waits.
    func finish(_ kind: String? = nil, since before: Set<OutboxItem.ID>) async throws {
        let waits = try await client.outbox.now().contains { !before.contains($0.id) }
        let limit = waits ? timeout : min(timeout, ChatterClient.longestSilence)
        if try await client.settle(timeout: limit), let failed = try await newFailure(since: before) {
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
