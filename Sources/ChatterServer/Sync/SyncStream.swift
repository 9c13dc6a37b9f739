import ChatterModel

/// Answers a `sync.request`: friends' presence, then what is missing of each conversation, then `sync.complete`.
///
/// It reads on the readers' threads, a few conversations at a time, while live events go on. Whatever was committed
/// before a read is in it; whatever is committed later reaches the connection live: nothing falls between.
struct SyncStream: Sendable {
    let storage: Storage
    let presence: PresenceBoard
    let clock: any ServerClock

    /// Streamed in answer to one request at most; the rest is paged by REST. A quarter of what a connection's
    /// queue holds, so that live events have room.
    private static let bytes = LiveLimits.queueBytes / 4
    private static let conversationsPerRead = 50

    func run(_ request: SyncRequest, id: String?, on connection: LiveConnection) async throws {
        try await sendPresence(to: connection)
        // In one order, so that a run can be repeated.
        var waiting = request.conversations.sorted { $0.key < $1.key }[...]
        var states: [ID<Conversation>: SyncComplete.State] = [:]
        var budget = Self.bytes
        while !waiting.isEmpty {
            let batch = waiting.prefix(Self.conversationsPerRead)
            waiting = waiting.dropFirst(batch.count)
            for (conversation, missed) in try await read(batch, for: connection.user, budget: budget) {
                for event in missed.events { connection.send(ServerFrame(event)) }
                states[conversation] = missed.state
                budget -= missed.bytes
            }
        }
        connection.send(ServerFrame(.syncComplete(SyncComplete(conversations: states)), id: id))
    }

    private func read(
        _ batch: ArraySlice<(key: ID<Conversation>, value: SyncRequest.Held)>, for user: ID<User>, budget: Int
    ) async throws -> [(ID<Conversation>, MissedMessages)] {
        try await storage.read { database in
            var budget = budget
            var result: [(ID<Conversation>, MissedMessages)] = []
            for (conversation, held) in batch {
                let missed = try MissedMessages.read(
                    conversation, above: held, for: user, budget: budget, in: database)
                guard let missed else { continue }
                budget -= missed.bytes
                result.append((conversation, missed))
            }
            return result
        }
    }

    private func sendPresence(to connection: LiveConnection) async throws {
        let friends = try await storage.read { [presence, clock] database in
            try PresenceQueries.friends(of: connection.user, presence: presence, now: clock.now, in: database)
        }
        for friend in friends { connection.send(ServerFrame(.presenceUpdated(friend))) }
    }
}
