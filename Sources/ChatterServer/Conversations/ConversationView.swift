import ChatterModel
import SQLite

/// One conversation as one of its members sees it, put together from a few short queries.
struct ConversationView {
    let viewer: ID<User>
    let now: Timestamp
    let database: Database

    /// nil when the viewer is no member.
    func conversation(_ id: ID<Conversation>) throws -> Conversation? {
        guard let own = try ownRow(id) else { return nil }
        return Conversation(
            id: id, type: own.kind, members: try members(of: id), lastSeq: own.lastSeq,
            lastChange: own.lastChange, lastMessage: try lastMessage(of: id, above: own.joinedSeq),
            unreadCount: try unreadCount(of: id, above: max(own.readSeq, own.joinedSeq), last: own.lastSeq),
            settings: ConversationSettings(
                mutedUntil: own.mutedUntil.flatMap { $0 > now ? $0 : nil }, archived: own.archived,
                pinned: own.pinned),
            createdAt: own.createdAt,
            lastActivityAt: max(own.lastActivityAt, try lastUnseen(in: id) ?? own.lastActivityAt),
            version: own.version)
    }

    // MARK: - Parts

    private struct OwnRow {
        let kind: Conversation.Kind
        let lastSeq, lastChange, joinedSeq, readSeq, version: Int64
        let createdAt, lastActivityAt: Timestamp
        let mutedUntil: Timestamp?
        let archived, pinned: Bool
    }

    private func ownRow(_ id: ID<Conversation>) throws -> OwnRow? {
        try database.first(
            """
            SELECT c.type, c.last_seq, c.last_change, c.created_at, c.last_activity_at, c.position,
                m.joined_seq, m.read_seq, m.muted_until, m.archived, m.pinned, m.position
            FROM members m JOIN conversations c ON c.id = m.conversation_id
            WHERE m.user_id = ?1 AND m.conversation_id = ?2
            """, viewer, id
        ) { row in
            OwnRow(
                kind: Conversation.Kind(rawValue: row.text(0)) ?? .direct, lastSeq: row.int64(1),
                lastChange: row.int64(2), joinedSeq: row.int64(6), readSeq: row.int64(7),
                version: max(row.int64(5), row.int64(11)), createdAt: row.timestamp(3),
                lastActivityAt: row.timestamp(4), mutedUntil: row.optionalTimestamp(8),
                archived: row.bool(9), pinned: row.bool(10))
        }
    }

    /// Behind a block the other's watermarks stand still, and what was sent since is simply not delivered. After
    /// it, those messages are listed, so that the watermarks that moved on do not tick them.
    private func members(of id: ID<Conversation>) throws -> [Member] {
        let start = SeenUser.columnCount
        let rows: [(member: Member, hiddenUpTo: Int64)] = try database.all(
            """
            SELECT \(SeenUser.columns), m.role, COALESCE(z.delivered_seq, m.delivered_seq),
                COALESCE(z.read_seq, m.read_seq), m.joined_seq, CASE WHEN z.version IS NULL THEN c.last_seq ELSE COALESCE(z.last_seq, 0) END,
                CASE WHEN z.version IS NULL THEN m.delivered_at ELSE z.delivered_at END,
                CASE WHEN z.version IS NULL THEN m.read_at ELSE z.read_at END
            FROM members m JOIN conversations c ON c.id = m.conversation_id
            JOIN users u ON u.id = m.user_id \(SeenUser.frozenView)
            WHERE m.conversation_id = ?2 ORDER BY m.user_id
            """, viewer, id
        ) { row in
            let member = Member(
                user: SeenUser.user(row), role: Member.Role(rawValue: row.text(start)) ?? .member,
                lastDeliveredSeq: row.int64(start + 1), lastReadSeq: row.int64(start + 2),
                deliveredAt: row.optionalTimestamp(start + 5), readAt: row.optionalTimestamp(start + 6),
                joinedSeq: row.int64(start + 3))
            return (member, row.int64(start + 4))
        }
        return try rows.map { row in
            var member = row.member
            if member.user.id != viewer {
                member.undelivered = try undelivered(to: member.user.id, in: id, upTo: row.hiddenUpTo)
            }
            return member
        }
    }

    /// The viewer's messages that `member` never gets, as ranges.
    private func undelivered(
        to member: ID<User>, in id: ID<Conversation>, upTo last: Int64
    ) throws -> [SeqRange] {
        var ranges: [SeqRange] = []
        try database.each(
            """
            SELECT seq FROM messages
            WHERE conversation_id = ?1 AND hidden_from = ?2 AND sender_id = ?3 AND seq <= ?4 ORDER BY seq
            """, id, member, viewer, last
        ) { row in
            let seq = row.int64(0)
            if let previous = ranges.last, previous.to == seq - 1 {
                ranges[ranges.count - 1].to = seq
            } else {
                ranges.append(SeqRange(from: seq, to: seq))
            }
        }
        return ranges
    }

    private func lastMessage(of id: ID<Conversation>, above joinedSeq: Int64) throws -> Message? {
        try database.first(
            """
            SELECT \(MessageColumns.all) FROM messages x
            WHERE x.conversation_id = ?2 AND x.seq > ?3 AND \(MessageColumns.isVisible)
            ORDER BY x.seq DESC LIMIT 1
            """, viewer, id, joinedSeq
        ) { MessageColumns.message($0) }
    }

    /// The one rule of unread: messages by others above the read watermark, without tombstones and without what
    /// the viewer cannot see.
    private func unreadCount(of id: ID<Conversation>, above seq: Int64, last: Int64) throws -> Int {
        guard seq < last else { return 0 }
        return try database.first(
            """
            SELECT COUNT(*) FROM messages x
            WHERE x.conversation_id = ?2 AND x.seq > ?3 AND x.sender_id <> ?1 AND x.deleted_at IS NULL
                AND \(MessageColumns.isVisible)
            """, viewer, id, seq
        ) { $0.int(0) } ?? 0
    }

    /// When the viewer last sent something that a block kept from the other: it moves the chat for them alone.
    private func lastUnseen(in id: ID<Conversation>) throws -> Timestamp? {
        try database.first(
            """
            SELECT MAX(created_at) FROM messages
            WHERE conversation_id = ?1 AND hidden_from IS NOT NULL AND sender_id = ?2
            """, id, viewer
        ) { $0.optionalTimestamp(0) } ?? nil
    }
}
