import ChatterModel

/// Follows the newest messages of every conversation and gives each once, in the conversation's order.
actor Arrivals {
    private let account: Account
    private let notices: AsyncStream<Void>
    /// Everything up to here was given, or was there before.
    private var positions: [ID<Conversation>: ArrivalPosition]?
    private var ready: [MessageItem] = []

    init(_ account: Account) {
        self.account = account
        notices = account.store.pool.changes(
            in: [Table.messages.rawValue, Table.conversations.rawValue, Table.holes.rawValue])
    }

    /// What is there now was there before.
    func begin() async throws(ClientError) {
        if positions == nil { try await look() }
    }

    /// nil at the end.
    func next() async throws(ClientError) -> MessageItem? {
        if !ready.isEmpty { return ready.removeFirst() }
        for await _ in notices {
            guard !Task.isCancelled else { return nil }
            try await look()
            if !ready.isEmpty { return ready.removeFirst() }
        }
        return nil
    }

    private func look() async throws(ClientError) {
        let known = positions
        let (items, positions) = try await account.read { try $0.arrivals(after: known) }
        ready += items
        self.positions = positions
    }
}

/// A place in a conversation's order, of one epoch.
struct ArrivalPosition: Hashable, Sendable {
    var seq: Int64
    var renumbered: Int64
}

extension ReadContext {
    private struct Edge {
        var id: ID<Conversation>
        var renumbered: Int64
        /// Where the present numbers begin.
        var agreed: Int64
        var contiguous: Int64
        var floor: Int64
        var isLoading: Bool
        /// What no device of this account has yet begins above.
        var delivered: Int64
    }

    /// What lies above `positions` in one piece, and the positions after it. Without positions nothing is new; a
    /// conversation that they do not hold is met for the first time, and what no device had before is new in it.
    func arrivals(
        after positions: [ID<Conversation>: ArrivalPosition]?
    ) throws -> ([MessageItem], [ID<Conversation>: ArrivalPosition]) {
        var result = positions ?? [:]
        var items: [MessageItem] = []
        for edge in try edges() {
            guard positions != nil else {
                result[edge.id] = ArrivalPosition(seq: edge.contiguous, renumbered: edge.renumbered)
                continue
            }
            var start = start(of: edge, result[edge.id])
            if edge.floor > start + 1 {
                if edge.isLoading { continue }
                start = edge.floor - 1
            }
            if edge.contiguous > start {
                items += try messages(in: edge.id, above: start, through: edge.contiguous)
            }
            result[edge.id] = ArrivalPosition(
                seq: max(start, edge.contiguous), renumbered: edge.renumbered)
        }
        return (items, result)
    }

    /// In a new epoch the numbers that were given before may be given again.
    private func start(of edge: Edge, _ position: ArrivalPosition?) -> Int64 {
        guard let position else { return edge.delivered }
        return position.renumbered == edge.renumbered ? position.seq : min(position.seq, edge.agreed)
    }

    private func edges() throws -> [Edge] {
        try database.all(
            """
            SELECT c.id, coalesce((SELECT min(fromSeq) - 1 FROM holes h WHERE h.conversationID = c.id), c.topSeq),
                c.historyFloor, c.unreadBelowFloor > 0, max(c.myReadSeq, coalesce(m.lastDeliveredSeq, 0)),
                c.renumbered, c.agreedSeq
            FROM conversations c
            LEFT JOIN members m ON m.conversationID = c.id AND m.userID = ?
            WHERE c.version > 0 AND c.isGone = 0 AND c.awaits IS NULL ORDER BY c.id
            """, me.rawValue
        ) { row in
            Edge(
                id: row.id(0), renumbered: row.int64(5), agreed: row.int64(6), contiguous: row.int64(1),
                floor: row.int64(2), isLoading: row.bool(3),
                delivered: row.int64(4))
        }
    }
}
