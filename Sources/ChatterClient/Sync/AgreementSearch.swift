import ChatterModel

/// How far this device and a server that was set back to a backup hold the same conversation.
struct Agreement: Hashable, Sendable {
    /// Every message up to here is the same on both sides; 0: none is.
    var seq: Int64
    /// Every change up to here was applied here, and is the server's too.
    var change: Int64
    /// How far the server is.
    var lastSeq: Int64
    var lastChange: Int64
}

/// Looks for the agreement in pages of the server's history, from this device's newest message downwards.
///
/// Both histories are one up to the backup. The ids of messages are random: where both hold the same one at the same
/// `seq`, everything below is the same too; where it also has the same `change`, so is every change up to that.
struct AgreementSearch: Hashable, Sendable {
    /// A message that is here, in the former epoch's numbers.
    struct Place: Hashable, Sendable {
        var seq: Int64
        var change: Int64
    }

    /// Below it nothing is here.
    private let floor: Int64
    /// Which page to ask for next.
    private(set) var before: Int64
    private var seq: Int64 = 0
    private var change: Int64 = 0
    private(set) var found: Agreement?

    init(floor: Int64, top: Int64) {
        self.floor = floor
        before = top + 1
    }

    /// Compares one page; `places`: of those of its messages that are here.
    mutating func compare(_ page: MessagePage, with places: [ID<Message>: Place]) {
        for message in page.messages {
            guard let place = places[message.id], place.seq == message.seq else { continue }
            seq = max(seq, place.seq)
            if place.change == message.change { change = max(change, place.change) }
        }
        let lowest = page.messages.map(\.seq).min() ?? 0
        before = lowest
        if change > 0 || !page.hasMore || lowest <= floor {
            found = Agreement(seq: seq, change: change, lastSeq: page.lastSeq, lastChange: page.lastChange)
        }
    }
}
