import ChatterClient
import ChatterModel
import Profiles

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

    /// Does something that is queued and waits for its end.
    /// - Throws: `refused` with the reason, after taking back what this call queued; `offline` when it still waits.
    func perform(_ action: () async throws(ClientError) -> Void) async throws {
        let before = Set(try await client.outbox.now().map(\.id))
        try await action()
        let left = try await left(since: before)
        if let failed = left.first(where: { $0.failure != nil }), let reason = failed.failure {
            // The answer to a command that can simply be given again; what somebody wrote is theirs to give up.
            if !failed.isMessage { try await client.outbox.discard(failed.id) }
            throw Failure(.refused, code: reason.code, RefusalLabel.text(reason))
        }
        guard left.isEmpty else { throw Failure.queued }
    }

    /// Waits until the server has what was queued since `before`: what it did not take, or not yet, in order.
    func left(since before: Set<OutboxItem.ID>) async throws -> [OutboxItem] {
        let waits = try await !queued(since: before).isEmpty
        let limit = waits ? timeout : min(timeout, ChatterClient.longestSilence)
        _ = try await client.settle(timeout: limit)
        return try await queued(since: before)
    }

    private func queued(since before: Set<OutboxItem.ID>) async throws -> [OutboxItem] {
        try await client.outbox.now().filter { !before.contains($0.id) && !$0.isReceipt }
    }
}

extension OutboxItem {
    /// nil: it waits.
    var failure: FailureReason? {
        if case .failed(let reason) = state { reason } else { nil }
    }

    /// Something that somebody wrote, as opposed to something they asked for.
    var isMessage: Bool { kind == "message.send" }

    /// Nobody asked for it, and nobody misses it: the next read says more.
    var isReceipt: Bool { kind == "receipt.read" }
}

extension OutboxRepository {
    /// What it holds at this moment.
    func now() async throws -> [OutboxItem] {
        guard let items = await items().first(where: { _ in true }) else { throw Failure.notSignedIn }
        return items
    }
}
