import ChatterModel
import SQLite

extension ReadContext {
    /// The chats list: pinned ones first, then by last activity. `archived` nil: all.
    func chats(archived: Bool?, now: Timestamp) throws -> [ChatItem] {
        let watermarks = try watermarksByConversation()
        return try database.all(
            """
            SELECT c.id, c.type, c.title, c.avatarURL, d.text, c.unreadLoaded + c.unreadBelowFloor, c.mutedUntil,
                c.archived, c.pinned, max(c.lastActivityAt, coalesce(c.pendingActivityAt, 0)) AS activity,
                p.id, p.username, p.displayName, p.about, p.avatarURL, p.isDeleted, p.version,
                m.localID, \(StoredMessage.columns)
            FROM conversations c
            LEFT JOIN users p ON p.id = c.peerID
            LEFT JOIN drafts d ON d.conversationID = c.id
            LEFT JOIN messages m ON m.localID = coalesce(\(Self.newestWaiting), \(Self.newestConfirmed))
            LEFT JOIN users u ON u.id = m.senderID
            WHERE c.version > 0 AND (c.isGone = 0 OR c.isLost = 1) AND (?1 IS NULL OR c.archived = ?1)
            ORDER BY c.pinned DESC, activity DESC, c.id DESC
            """, archived
        ) { row in
            let id: ID<Conversation> = row.id(0)
            let peer = row.optionalUser(10)
            let mutedUntil = row.optionalTimestamp(6)
            let preview = row.isNull(17) ? nil : try StoredMessage(row, at: 18)
            return ChatItem(
                id: id, type: Conversation.Kind(rawValue: row.text(1)) ?? .direct,
                title: row.optionalText(2) ?? peer?.shownName ?? "",
                avatarURL: row.optionalText(3) ?? peer?.avatarURL, peer: peer,
                preview: preview?.item(watermarks[id] ?? Watermarks(others: [])),
                draft: row.optionalText(4), unreadCount: row.int(5), mutedUntil: mutedUntil,
                isMuted: mutedUntil.map { $0 > now } ?? false, isArchived: row.bool(7),
                isPinned: row.bool(8), lastActivityAt: row.timestamp(9))
        }
    }

    /// The tables whose changes `chats` may show.
    static let chatTables: Set<Table> = [.conversations, .messages, .members, .users, .drafts]

    /// What is not deleted, by whomever: a preview never shows less than the bubble.
    private static let isPreviewed = "hidden = 0 AND deletedAt IS NULL AND deletion IS NULL"
    private static let newestWaiting = """
        (SELECT localID FROM messages WHERE conversationID = c.id AND seq IS NULL AND \(isPreviewed)
         ORDER BY localID DESC LIMIT 1)
        """
    private static let newestConfirmed = """
        (SELECT localID FROM messages WHERE conversationID = c.id AND seq IS NOT NULL AND \(isPreviewed)
         ORDER BY seq DESC LIMIT 1)
        """

    private func watermarksByConversation() throws -> [ID<Conversation>: Watermarks] {
        var result: [ID<Conversation>: Watermarks] = [:]
        try database.each(
            """
            SELECT conversationID, lastDeliveredSeq, lastReadSeq, joinedSeq, undelivered FROM members
            WHERE userID <> ?
            """, me.rawValue
        ) { row in
            result[row.id(0), default: Watermarks(others: [])].others.append(
                try Watermarks.Member(row, at: 1))
        }
        return result
    }

    /// The direct chat with `user`, if it is here.
    func directConversation(with user: ID<User>) throws -> ID<Conversation>? {
        try database.first(
            "SELECT id FROM conversations WHERE type = 'direct' AND peerID = ? AND isGone = 0 AND version > 0",
            user.rawValue
        ) { $0.id(0) }
    }
}
