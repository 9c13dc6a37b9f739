import ChatterModel

/// Which receipts leave when. Delivered ones at once, one under way a conversation, the rest melting into the next; one
/// that the server could not take now leaves again after a while, on the same connection.
/// Read ones only for what is on screen while the client is active; they wait `quiet` in the outbox and melt there.
struct ReceiptScheduler: Hashable, Sendable {
    /// How long reads are collected before the server is told.
    static let quiet = Duration.milliseconds(300)
    /// The longest that the server's word delays a delivered one.
    static let longestHold = Duration.seconds(300)

    private struct Delivery: Hashable {
        var underWay: Int64
        var wanted: Int64
        /// In a row.
        var refusals = 0
        /// Not under way but refused: leaves again then, by the monotonic clock.
        var dueAt: Duration?
    }

    private(set) var isActive = true
    private(set) var onScreen: Set<ID<Conversation>> = []
    private var deliveries: [ID<Conversation>: Delivery] = [:]

    mutating func setActive(_ isActive: Bool) { self.isActive = isActive }

    mutating func setOnScreen(_ id: ID<Conversation>, _ isOnScreen: Bool) {
        if isOnScreen { onScreen.insert(id) } else { onScreen.remove(id) }
    }

    /// What arrives in these conversations is read as it comes.
    var read: Set<ID<Conversation>> { isActive ? onScreen : [] }

    /// The seq to report as delivered now; nil while another report is under way.
    mutating func deliver(_ id: ID<Conversation>, _ seq: Int64) -> Int64? {
        guard var delivery = deliveries[id] else {
            deliveries[id] = Delivery(underWay: seq, wanted: seq)
            return seq
        }
        delivery.wanted = max(delivery.wanted, seq)
        deliveries[id] = delivery
        return nil
    }

    /// The server has answered the report; what to report next.
    mutating func delivered(_ id: ID<Conversation>) -> Int64? {
        guard let delivery = deliveries.removeValue(forKey: id), delivery.wanted > delivery.underWay else {
            return nil
        }
        return deliver(id, delivery.wanted)
    }

    /// The server could not take the report now. Without a time of the server's own, or with one that is too short,
    /// the pauses grow to `Backoff.cap`.
    mutating func refused(_ id: ID<Conversation>, retryAfter: Duration?, at time: Duration) {
        guard var delivery = deliveries[id] else { return }
        delivery.refusals += 1
        let pause = max(retryAfter ?? .zero, Backoff.window(failures: delivery.refusals))
        delivery.dueAt = time + min(pause, Self.longestHold)
        deliveries[id] = delivery
    }

    /// The server will never take the report; what arrives later makes a new one.
    mutating func dropped(_ id: ID<Conversation>) { deliveries[id] = nil }

    /// When `due` has something to report.
    var nextDue: Duration? { deliveries.values.compactMap(\.dueAt).min() }

    /// The refused reports whose time has come: under way again, with what was to be reported meanwhile.
    mutating func due(at time: Duration) -> [Watermark] {
        let ids = deliveries.filter { $0.value.dueAt.map { $0 <= time } ?? false }.keys.sorted()
        return ids.compactMap { id in
            guard var delivery = deliveries[id] else { return nil }
            (delivery.underWay, delivery.dueAt) = (delivery.wanted, nil)
            deliveries[id] = delivery
            return Watermark(conversationID: id, seq: delivery.underWay)
        }
    }

    /// What was under way is gone; what is still to report is found anew with the next connection.
    mutating func disconnected() { deliveries = [:] }
}
