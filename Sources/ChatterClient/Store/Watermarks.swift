import ChatterModel
import SQLite

/// How far the other members of a conversation are; decides the ticks of one's own messages.
struct Watermarks: Hashable, Sendable {
    struct Member: Hashable, Sendable {
        var delivered: Int64
        var read: Int64
        /// Earlier messages are none of this member's business.
        var joined: Int64 = 0
        /// Never reach this member, whatever the watermarks say.
        var undelivered: [SeqRange] = []
    }

    var others: [Member]

    /// Delivered and read mean: by every other member who was there.
    func status(of seq: Int64) -> DeliveryStatus {
        let concerned = others.filter { $0.joined < seq }
        guard !concerned.isEmpty else { return .sent }
        func all(_ watermark: (Member) -> Int64) -> Bool {
            concerned.allSatisfy { member in
                watermark(member) >= seq && !member.undelivered.contains { $0.contains(seq) }
            }
        }
        if all(\.read) { return .read }
        return all(\.delivered) ? .delivered : .sent
    }
}

extension Watermarks.Member {
    /// `lastDeliveredSeq, lastReadSeq, joinedSeq, undelivered`.
    init(_ row: borrowing Row, at first: Int) throws {
        self.init(
            delivered: row.int64(first), read: row.int64(first + 1), joined: row.int64(first + 2),
            // Hardly anybody has any.
            undelivered: row.text(first + 3) == "[]" ? [] : try row.json(first + 3, as: [SeqRange].self))
    }
}
