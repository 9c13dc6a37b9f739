import ChatterModel
import SQLite

// When a watermark passed a message. The server tells when a watermark came to where it is, so a message that several
// moves passed while nobody looked was delivered or read then or before. A time that is set stays.

extension WriteContext {
    /// Watermarks only move forward, and read implies delivered. Members that no record has named yet come with their
    /// record.
    func moveWatermarks(_ receipt: Receipt) throws {
        let (id, user) = (receipt.conversationID, receipt.userID)
        guard let before = try watermark(of: user, in: id) else { return }
        let read = max(before.read, receipt.lastReadSeq)
        let delivered = max(before.delivered, receipt.lastDeliveredSeq, read)
        guard delivered > before.delivered || read > before.read else { return }
        try database.run(
            """
            UPDATE members SET lastDeliveredSeq = ?1, lastReadSeq = ?2,
                deliveredAt = iif(lastDeliveredSeq < ?1, ?3, deliveredAt), readAt = iif(lastReadSeq < ?2, ?4, readAt)
            WHERE conversationID = ?5 AND userID = ?6
            """, delivered, read, receipt.deliveredAt?.milliseconds, receipt.readAt?.milliseconds,
            id.rawValue, user.rawValue)
        guard user != me else { return }
        let passed: Set = [
            SeqRange(from: before.delivered + 1, to: delivered), SeqRange(from: before.read + 1, to: read),
        ]
        for range in passed where range.from <= range.to { try noteTimes(of: range, in: id) }
    }

    private func watermark(
        of user: ID<User>, in id: ID<Conversation>
    ) throws -> (delivered: Int64, read: Int64)? {
        try database.first(
            "SELECT lastDeliveredSeq, lastReadSeq FROM members WHERE conversationID = ? AND userID = ?",
            id.rawValue, user.rawValue
        ) { ($0.int64(0), $0.int64(1)) }
    }

    /// Gives one's own messages in `range` the times at which every other member's watermark had passed them, once and
    /// for all. Nobody reads what was not delivered.
    func noteTimes(of range: SeqRange, in id: ID<Conversation>) throws {
        try database.run(
            """
            UPDATE messages
            SET readAt = t.readAt, deliveredAt = coalesce(min(t.deliveredAt, t.readAt), t.deliveredAt, t.readAt)
            FROM (
                SELECT m.localID, coalesce(m.deliveredAt, \(Self.timeOfAll("delivered", "Delivered"))) AS deliveredAt,
                    coalesce(m.readAt, \(Self.timeOfAll("read", "Read"))) AS readAt
                FROM messages m
                JOIN members w ON w.conversationID = m.conversationID AND w.userID <> ?1 AND w.joinedSeq < m.seq
                WHERE m.conversationID = ?2 AND m.seq BETWEEN ?3 AND ?4 AND m.isMine = 1
                    AND (m.deliveredAt IS NULL OR m.readAt IS NULL)
                GROUP BY m.localID
            ) t
            WHERE messages.localID = t.localID AND (t.deliveredAt IS NOT NULL OR t.readAt IS NOT NULL)
            """, me.rawValue, id.rawValue, range.from, range.to)
    }

    /// NULL until all have passed the message, and when it is not known when one of them did.
    private static func timeOfAll(_ step: String, _ name: String) -> String {
        """
        iif(min(w.last\(name)Seq >= m.seq AND w.\(step)From < m.seq AND w.\(step)At IS NOT NULL), max(w.\(step)At), NULL)
        """
    }
}
