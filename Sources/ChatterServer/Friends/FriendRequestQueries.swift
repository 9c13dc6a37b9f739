import ChatterModel
import SQLite

/// Asking, accepting, declining, cancelling. At most one request is pending between two people, whoever asked.
enum FriendRequestQueries {
    /// A repeat answers with the pending request, a crossing one becomes a friendship. Towards somebody who has
    /// blocked the sender it looks the same and reaches nobody.
    ///
    /// Throws NOT_FOUND, USER_DELETED, BLOCKED (by the sender), ALREADY_FRIENDS, VALIDATION_FAILED.
    static func send(
        from user: ID<User>, to other: ID<User>, workspace: ID<Workspace>, presence: PresenceBoard,
        in transaction: WriteTransaction
    ) throws -> FriendRequest {
        let database = transaction.database
        let relation = try Relation.of(user, to: other, workspace: workspace, in: database)
        guard !relation.isDeleted else { throw APIError(.userDeleted, "this account was deleted") }
        guard !relation.blocksOther else { throw APIError(.blocked, "you have blocked this user") }
        guard !relation.areFriends else { throw APIError(.alreadyFriends, "you are friends already") }

        if let pending = try FriendRequestRow.pending(between: Pair(user, other), in: database) {
            if pending.from == other {
                return try befriend(pending, presence: presence, in: transaction)
                    .seen(by: user, in: database)
            }
            let request = try reveal(pending, unless: relation.isBlockedByOther, in: transaction)
            return try request.seen(by: user, in: database)
        }
        let request = try insert(
            from: user, to: other, workspace: workspace,
            concealment: relation.isBlockedByOther ? .neverShown : .shown, in: transaction)
        transaction.publish(.syncChanged, to: user)
        try announce(request, in: transaction)
        return try request.seen(by: user, in: database)
    }

    /// Throws NOT_FOUND when it was never for this user, BLOCKED when they have blocked the sender, and
    /// REQUEST_CLOSED when it was declined or cancelled. Accepting twice answers twice.
    static func accept(
        _ id: ID<FriendRequest>, by user: ID<User>, presence: PresenceBoard, in transaction: WriteTransaction
    ) throws -> Friend {
        let database = transaction.database
        let request = try find(id, to: user, in: database)
        switch (request.status, request.concealment) {
        case (.pending, .shown):
            try befriend(request, presence: presence, in: transaction)
        case (.pending, _):
            // Withdrawn by a block. After its end the sender may ask again.
            let isBlocked = try BlockQueries.exists(by: user, of: request.from, in: database)
            throw isBlocked ? APIError(.blocked, "you have blocked this user") : closed
        case (.accepted, _): break
        case (.declined, _), (.cancelled, _): throw closed
        }
        let friend = try FriendQueries.friend(
            request.from, of: user, presence: presence, now: transaction.now, in: database)
        guard let friend else { throw closed }
        return friend
    }

    /// Throws NOT_FOUND, and REQUEST_CLOSED when it was accepted or cancelled.
    static func decline(
        _ id: ID<FriendRequest>, by user: ID<User>, in transaction: WriteTransaction
    ) throws {
        let request = try find(id, to: user, in: transaction.database)
        switch (request.status, request.concealment) {
        case (.pending, .shown): try close(request, as: .declined, in: transaction)
        case (.pending, _), (.declined, _): break
        case (.accepted, _), (.cancelled, _): throw closed
        }
    }

    /// Throws NOT_FOUND, and REQUEST_CLOSED when it was accepted or declined.
    static func cancel(
        _ id: ID<FriendRequest>, by user: ID<User>, in transaction: WriteTransaction
    ) throws {
        guard let request = try FriendRequestRow.find(id, in: transaction.database), request.from == user
        else {
            throw notFound
        }
        switch request.status {
        case .pending: try close(request, as: .cancelled, in: transaction)
        case .cancelled: break
        case .accepted, .declined: throw closed
        }
    }

    /// Ends a pending request and tells those who know of it.
    static func close(
        _ request: FriendRequestRow, as status: FriendRequest.Status, in transaction: WriteTransaction
    ) throws {
        let database = transaction.database
        let ended = try update(request, status: status, concealment: request.concealment, in: transaction)
        for user in ended.audience {
            let seen = try ended.seen(by: user, in: database)
            transaction.publish(
                status == .declined ? .friendRequestDeclined(seen) : .friendRequestCancelled(seen), to: user)
        }
    }

    /// Takes a pending request out of its receiver's sight; the sender notices nothing.
    static func withdraw(_ request: FriendRequestRow, in transaction: WriteTransaction) throws {
        guard request.concealment == .shown else { return }
        _ = try update(request, status: .pending, concealment: .withdrawn, in: transaction)
    }

    // MARK: - Steps

    private static let closed = APIError(.requestClosed, "the request is no longer open")
    private static let notFound = APIError(.notFound, "there is no such request")

    private static func find(
        _ id: ID<FriendRequest>, to user: ID<User>, in database: Database
    ) throws -> FriendRequestRow {
        guard let request = try FriendRequestRow.find(id, in: database), request.to == user,
            request.concealment != .neverShown
        else { throw notFound }
        return request
    }

    private static func insert(
        from user: ID<User>, to other: ID<User>, workspace: ID<Workspace>,
        concealment: FriendRequestRow.Concealment, in transaction: WriteTransaction
    ) throws -> FriendRequestRow {
        let id: ID<FriendRequest> = transaction.newID()
        let pair = Pair(user, other)
        try transaction.database.run(
            """
            INSERT INTO friend_requests (
                id, workspace_id, from_user, to_user, pair_low, pair_high, status, hidden, created_at, position)
            VALUES (?, ?, ?, ?, ?, ?, 'pending', ?, ?, ?)
            """, id, workspace, user, other, pair.low, pair.high, concealment.rawValue, transaction.now,
            transaction.nextPosition())
        return try get(id, in: transaction.database)
    }

    /// A request asked again after a block ended reaches its receiver at last.
    private static func reveal(
        _ request: FriendRequestRow, unless isBlocked: Bool, in transaction: WriteTransaction
    ) throws -> FriendRequestRow {
        guard request.concealment != .shown, !isBlocked else { return request }
        let shown = try update(request, status: .pending, concealment: .shown, in: transaction)
        try announce(shown, in: transaction)
        return shown
    }

    private static func announce(_ request: FriendRequestRow, in transaction: WriteTransaction) throws {
        guard request.concealment == .shown else { return }
        let seen = try request.seen(by: request.to, in: transaction.database)
        transaction.publish(.friendRequestReceived(seen), to: request.to)
    }

    @discardableResult
    private static func befriend(
        _ request: FriendRequestRow, presence: PresenceBoard, in transaction: WriteTransaction
    ) throws -> FriendRequestRow {
        let database = transaction.database
        let accepted = try update(request, status: .accepted, concealment: .shown, in: transaction)
        try FriendQueries.insert(Pair(request.from, request.to), in: transaction)
        for (user, other) in [(request.from, request.to), (request.to, request.from)] {
            let friend = try FriendQueries.friend(
                other, of: user, presence: presence, now: transaction.now, in: database)
            guard let friend else { throw MissingRow(table: "friendships") }
            let made = FriendshipMade(request: try accepted.seen(by: user, in: database), friend: friend)
            transaction.publish(.friendRequestAccepted(made), to: user)
        }
        return accepted
    }

    private static func update(
        _ request: FriendRequestRow, status: FriendRequest.Status,
        concealment: FriendRequestRow.Concealment, in transaction: WriteTransaction
    ) throws -> FriendRequestRow {
        try transaction.database.run(
            "UPDATE friend_requests SET status = ?, hidden = ?, position = ? WHERE id = ?",
            status.rawValue, concealment.rawValue, transaction.nextPosition(), request.id)
        return try get(request.id, in: transaction.database)
    }

    private static func get(
        _ id: ID<FriendRequest>, in database: Database
    ) throws -> FriendRequestRow {
        guard let request = try FriendRequestRow.find(id, in: database) else {
            throw MissingRow(table: "friend_requests")
        }
        return request
    }
}

extension FriendRequestRow {
    /// Those who are told how it ends.
    var audience: [ID<User>] { concealment == .shown ? [from, to] : [from] }
}
