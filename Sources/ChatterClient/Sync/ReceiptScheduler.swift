import ChatterModel

/// Which receipts leave when. Delivered ones at once, one under way a conversation, the rest melting into the next.
/// Read ones only for what is on screen while the client is active; they wait `quiet` in the outbox and melt there.
struct ReceiptScheduler: Hashable, Sendable {
    /// How long reads are collected before the server is told.
    static let quiet = Duration.milliseconds(300)

    private struct Delivery: Hashable {
        var underWay: Int64
        var wanted: Int64
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

    /// What was under way is gone; what is still to report is found anew with the next connection.
    mutating func disconnected() { deliveries = [:] }
}
