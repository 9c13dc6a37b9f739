import ChatterModel
import SQLite

/// Everything of a user's that changed after a position, lowest position first. Each kind of record is asked for
/// at most one page; what lies above the page's end is left for the next one.
struct SyncQueries {
    let user: ID<User>
    let cursor: SyncCursor
    let limit: Int
    let now: Timestamp
    let presence: PresenceBoard
    let database: Database

    func page() throws -> SyncPage {
        let changes = try Change.sources.flatMap { try $0(self) }.sorted { $0.position < $1.position }
        let last = changes.count > limit ? changes[limit - 1].position : changes.last?.position ?? since
        var page = SyncPage(cursor: "", hasMore: false, serverTime: now)
        var end = since
        for change in changes {
            // Records of one position stay together: a page ends between two of different ones.
            page.hasMore = change.position > end && (change.position > last || page.isFull)
            if page.hasMore { break }
            try change.add(&page)
            end = change.position
        }
        page.cursor = SyncCursor(epoch: cursor.epoch, position: end).text
        return page
    }

    fileprivate var since: Int64 { cursor.position }

    /// On the first call there is nothing to take away.
    fileprivate var isFirst: Bool { since == 0 }
}

/// One changed record: where it stands, and how it gets on the page.
private struct Change {
    let position: Int64
    let add: (inout SyncPage) throws -> Void

    static let sources: [@Sendable (SyncQueries) throws -> [Change]] = [
        me, users, friends, removedFriends, friendRequests, blocks, removedBlocks, conversations,
        hiddenMessages,
    ]

    @Sendable private static func me(_ sync: SyncQueries) throws -> [Change] {
        let me = try UserQueries.me(sync.user, in: sync.database)
        return me.version > sync.since ? [Change(position: me.version) { $0.me = me }] : []
    }

    /// The people around: friends and chat partners. Behind a block nothing of them changes.
    @Sendable private static func users(_ sync: SyncQueries) throws -> [Change] {
        try sync.database.all(
            """
            SELECT \(SeenUser.columns) FROM users u \(SeenUser.frozenView)
            WHERE u.position > ?2 AND z.version IS NULL AND u.id IN (
                SELECT friend_id FROM friendships WHERE user_id = ?1 AND removed_at IS NULL
                UNION
                SELECT o.user_id FROM members m JOIN members o ON o.conversation_id = m.conversation_id
                WHERE m.user_id = ?1 AND o.user_id <> ?1)
            ORDER BY u.position LIMIT ?3
            """, sync.user, sync.since, sync.limit + 1
        ) { row in
            let user = SeenUser.user(row)
            return Change(position: user.version) { $0.users.append(user) }
        }
    }

    @Sendable private static func friends(_ sync: SyncQueries) throws -> [Change] {
        try sync.database.all(
            """
            \(FriendQueries.select) WHERE f.user_id = ?1 AND f.position > ?2 AND f.removed_at IS NULL
            ORDER BY f.position LIMIT ?3
            """, sync.user, sync.since, sync.limit + 1
        ) { row in
            let friend = FriendQueries.friend(row, presence: sync.presence, now: sync.now)
            return Change(position: friend.version) { $0.friends.append(friend) }
        }
    }

    @Sendable private static func removedFriends(_ sync: SyncQueries) throws -> [Change] {
        guard !sync.isFirst else { return [] }
        return try sync.database.all(
            """
            SELECT friend_id, position FROM friendships
            WHERE user_id = ? AND position > ? AND removed_at IS NOT NULL ORDER BY position LIMIT ?
            """, sync.user, sync.since, sync.limit + 1
        ) { row in
            let removed = Removed(userID: row.id(0), version: row.int64(1))
            return Change(position: removed.version) { $0.removedFriends.append(removed) }
        }
    }

    /// A closed one leaves the lists; one that a block took from its receiver looks declined to them.
    @Sendable private static func friendRequests(_ sync: SyncQueries) throws -> [Change] {
        let rows = try sync.database.all(
            """
            SELECT \(FriendRequestRow.columns) FROM friend_requests q
            WHERE (q.from_user = ?1 OR (q.to_user = ?1 AND q.hidden <> 1)) AND q.position > ?2
                AND (?3 OR (q.status = 'pending' AND (q.from_user = ?1 OR q.hidden = 0)))
            ORDER BY q.position LIMIT ?4
            """, sync.user, sync.since, !sync.isFirst, sync.limit + 1
        ) { FriendRequestRow($0) }
        return rows.map { row in
            Change(position: row.position) {
                $0.friendRequests.append(try row.seen(by: sync.user, in: sync.database))
            }
        }
    }

    @Sendable private static func blocks(_ sync: SyncQueries) throws -> [Change] {
        try sync.database.all(
            """
            \(BlockQueries.select) AND b.position > ?2 AND b.removed_at IS NULL
            ORDER BY b.position LIMIT ?3
            """, sync.user, sync.since, sync.limit + 1
        ) { row in
            let block = BlockQueries.block(row)
            return Change(position: block.version) { $0.blocks.append(block) }
        }
    }

    @Sendable private static func removedBlocks(_ sync: SyncQueries) throws -> [Change] {
        guard !sync.isFirst else { return [] }
        return try sync.database.all(
            """
            SELECT blocked_id, position FROM blocks
            WHERE blocker_id = ? AND position > ? AND removed_at IS NOT NULL ORDER BY position LIMIT ?
            """, sync.user, sync.since, sync.limit + 1
        ) { row in
            let removed = Removed(userID: row.id(0), version: row.int64(1))
            return Change(position: removed.version) { $0.removedBlocks.append(removed) }
        }
    }

    @Sendable private static func conversations(_ sync: SyncQueries) throws -> [Change] {
        let changed = try ConversationQueries.changed(
            for: sync.user, after: sync.since, limit: sync.limit + 1, in: sync.database)
        return changed.map { id, version in
            Change(position: version) {
                $0.conversations.append(
                    try ConversationQueries.get(id, for: sync.user, now: sync.now, in: sync.database))
            }
        }
    }

    @Sendable private static func hiddenMessages(_ sync: SyncQueries) throws -> [Change] {
        try sync.database.all(
            """
            SELECT conversation_id, message_id, position FROM hidden_messages
            WHERE user_id = ? AND position > ? ORDER BY position LIMIT ?
            """, sync.user, sync.since, sync.limit + 1
        ) { row in
            let hidden = HiddenMessage(conversationID: row.id(0), messageID: row.id(1))
            return Change(position: row.int64(2)) { $0.hiddenMessages.append(hidden) }
        }
    }
}

extension SyncPage {
    /// The previews are the only long texts in it.
    fileprivate var isFull: Bool {
        let texts = conversations.map { $0.lastMessage?.body.utf8.count ?? 0 }
        return PageSize.fitting(texts[...]) { $0 }.count < texts.count
    }
}
