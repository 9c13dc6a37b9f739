import ChatterModel
import SQLite

/// A friend request as it is stored.
struct FriendRequestRow: Sendable, Equatable {
    /// What the receiver knows of it.
    enum Concealment: Int, Sendable {
        case shown = 0
        /// Sent to somebody who had blocked the sender: never heard of.
        case neverShown = 1
        /// Taken from the receiver's list when they blocked the sender, who still sees it pending.
        case withdrawn = 2
    }

    let id: ID<FriendRequest>
    let from: ID<User>
    let to: ID<User>
    let status: FriendRequest.Status
    let concealment: Concealment
    let createdAt: Timestamp
    let position: Int64

    static let columns = "q.id, q.from_user, q.to_user, q.status, q.hidden, q.created_at, q.position"

    init(_ row: borrowing Row) {
        id = row.id(0)
        from = row.id(1)
        to = row.id(2)
        status = FriendRequest.Status(rawValue: row.text(3)) ?? .cancelled
        concealment = Concealment(rawValue: row.int(4)) ?? .neverShown
        createdAt = row.timestamp(5)
        position = row.int64(6)
    }

    static func find(_ id: ID<FriendRequest>, in database: Database) throws -> FriendRequestRow? {
        try database.first("SELECT \(columns) FROM friend_requests q WHERE q.id = ?", id) { .init($0) }
    }

    static func pending(between pair: Pair, in database: Database) throws -> FriendRequestRow? {
        try database.first(
            """
            SELECT \(columns) FROM friend_requests q
            WHERE q.pair_low = ? AND q.pair_high = ? AND q.status = 'pending'
            """, pair.low, pair.high
        ) { .init($0) }
    }

    static func pending(from user: ID<User>, in database: Database) throws -> [FriendRequestRow] {
        try database.all(
            "SELECT \(columns) FROM friend_requests q WHERE q.from_user = ? AND q.status = 'pending'", user
        ) { .init($0) }
    }

    static func pending(to user: ID<User>, in database: Database) throws -> [FriendRequestRow] {
        try database.all(
            "SELECT \(columns) FROM friend_requests q WHERE q.to_user = ? AND q.status = 'pending'", user
        ) { .init($0) }
    }

    /// The pending ones that `user` knows of, newest first, those older than `before`.
    static func list(
        _ direction: FriendRequest.Direction, of user: ID<User>, before: ID<FriendRequest>?, limit: Int,
        in database: Database
    ) throws -> [FriendRequestRow] {
        let condition = direction == .outgoing ? "q.from_user = ?1" : "q.to_user = ?1 AND q.hidden = 0"
        return try database.all(
            """
            SELECT \(columns) FROM friend_requests q
            WHERE \(condition) AND q.status = 'pending' AND (?2 IS NULL OR q.id < ?2)
            ORDER BY q.id DESC LIMIT ?3
            """, user, before, limit
        ) { .init($0) }
    }

    /// As one of its two people sees it.
    func seen(by viewer: ID<User>, in database: Database) throws -> FriendRequest {
        let isWithdrawn = viewer == to && concealment != .shown && status == .pending
        return FriendRequest(
            id: id, from: try SeenUser.get(from, by: viewer, in: database),
            to: try SeenUser.get(to, by: viewer, in: database), status: isWithdrawn ? .declined : status,
            createdAt: createdAt, version: position)
    }
}
