import ChatterModel
import SQLite

/// Lists of people, with what waits in the outbox already applied.
extension ReadContext {
    private static let userColumns =
        "u.id, u.username, u.displayName, u.about, u.avatarURL, u.isDeleted, u.version"

    /// SQL: an action of this kind on this person waits to be sent.
    private static func isWaiting(_ kind: OutboxAction.Kind, _ user: String) -> String {
        """
        EXISTS (SELECT 1 FROM outbox o WHERE o.lane = 'person:' || \(user) AND o.state = 'waiting'
            AND o.kind = '\(kind.rawValue)')
        """
    }

    /// SQL: this account has blocked that person; the newest waiting action decides before the server's word.
    static func isBlocked(_ user: String) -> String {
        """
        coalesce((SELECT o.kind = '\(OutboxAction.Kind.block.rawValue)' FROM outbox o
            WHERE o.lane = 'person:' || \(user) AND o.state = 'waiting'
                AND o.kind IN ('\(OutboxAction.Kind.block.rawValue)', '\(OutboxAction.Kind.unblock.rawValue)')
            ORDER BY o.id DESC LIMIT 1),
            (SELECT b.removed = 0 FROM blocks b WHERE b.userID = \(user)), 0)
        """
    }

    /// By name. Presence says only when somebody was last seen.
    func friends() throws -> [FriendItem] {
        let friends = try database.all(
            """
            SELECT f.since, f.lastSeenAt, f.presenceAt, \(Self.userColumns)
            FROM friends f JOIN users u ON u.id = f.userID
            WHERE f.removed = 0 AND u.isDeleted = 0 AND NOT \(Self.isWaiting(.removeFriend, "f.userID"))
            """
        ) { row in
            let user = row.user(3)
            let presence = row.optionalTimestamp(1).map {
                Presence(userID: user.id, online: false, lastSeenAt: $0, at: row.timestamp(2))
            }
            return FriendItem(user: user, since: row.timestamp(0), presence: presence)
        }
        return friends.sorted { left, right in
            let (a, b) = (left.user.shownName.lowercased(), right.user.shownName.lowercased())
            return a == b ? left.id < right.id : a < b
        }
    }

    static let friendTables: Set<Table> = [.friends, .users, .outbox]

    /// Pending ones in both directions, newest first.
    func requests() throws -> [RequestItem] {
        let stored = try database.all(
            """
            SELECT r.createdAt, r.fromID = ?1, \(Self.isWaiting(.acceptFriendRequest, "u.id")), \(Self.userColumns)
            FROM friendRequests r
            JOIN users u ON u.id = CASE r.fromID WHEN ?1 THEN r.toID ELSE r.fromID END
            WHERE r.status = 'pending' AND u.isDeleted = 0
                AND NOT \(Self.isWaiting(.cancelFriendRequest, "u.id"))
                AND NOT \(Self.isWaiting(.declineFriendRequest, "u.id"))
            """, me.rawValue
        ) { row in
            RequestItem(
                user: row.user(3), direction: row.bool(1) ? .outgoing : .incoming,
                createdAt: row.timestamp(0), isQueued: row.bool(2))
        }
        let known = Set(stored.map(\.id))
        return (stored + (try queuedRequests().filter { !known.contains($0.id) })).sorted {
            ($0.createdAt, $0.id) > ($1.createdAt, $1.id)
        }
    }

    /// Written here, not yet with the server.
    private func queuedRequests() throws -> [RequestItem] {
        try database.all(
            """
            SELECT o.createdAt, \(Self.userColumns)
            FROM outbox o JOIN users u ON o.lane = 'person:' || u.id
            WHERE o.kind = ? AND o.state = 'waiting' AND NOT \(Self.isWaiting(.cancelFriendRequest, "u.id"))
            """, OutboxAction.Kind.sendFriendRequest.rawValue
        ) { row in
            RequestItem(
                user: row.user(1), direction: .outgoing, createdAt: row.timestamp(0), isQueued: true)
        }
    }

    static let requestTables: Set<Table> = [.friendRequests, .users, .outbox]

    /// Newest first.
    func blocked() throws -> [BlockItem] {
        try database.all(
            """
            SELECT coalesce(b.createdAt, (SELECT max(createdAt) FROM outbox o WHERE o.lane = 'person:' || u.id), 0)
                AS since, \(Self.userColumns)
            FROM users u LEFT JOIN blocks b ON b.userID = u.id AND b.removed = 0
            WHERE (b.userID IS NOT NULL OR \(Self.isWaiting(.block, "u.id"))) AND \(Self.isBlocked("u.id"))
            ORDER BY since DESC, u.id
            """
        ) { BlockItem(user: $0.user(1), createdAt: $0.timestamp(0)) }
    }

    static let blockTables: Set<Table> = [.blocks, .users, .outbox]

    /// Own profile with waiting edits applied; nil before the first sync.
    func profile() throws -> Me? {
        guard var me = try serverProfile() else { return nil }
        for edit in try waitingProfileEdits() { me.apply(edit) }
        return me
    }

    static let profileTables: Set<Table> = [.syncState, .outbox]
}
