import ChatterModel

/// People: search, requests, friends, blocks, reports.
///
/// Actions but the report are shown at once and queued: they throw only when nobody is signed in or when the local
/// database fails. Pending requests are named by the other person.
public struct FriendsRepository: Sendable {
    let keeper: SessionKeeper

    /// By name. Ends at sign-out.
    public func friends() -> AsyncStream<[FriendItem]> {
        keeper.stream(
            LiveQuery.Parts(tables: ReadContext.friendTables) {
                try $0.friends()
            } show: { friends, live in
                friends.map { friend in
                    var friend = friend
                    friend.presence = live.presence(of: friend.id, stored: friend.presence)
                    return friend
                }
            })
    }

    /// Pending ones in both directions, newest first. Ends at sign-out.
    public func requests() -> AsyncStream<[RequestItem]> {
        keeper.stream(
            LiveQuery.Parts(tables: ReadContext.requestTables) {
                try $0.requests()
            } show: { requests, _ in
                requests
            })
    }

    /// Newest first. Ends at sign-out.
    public func blocked() -> AsyncStream<[BlockItem]> {
        keeper.stream(
            LiveQuery.Parts(tables: ReadContext.blockTables) {
                try $0.blocked()
            } show: { blocks, _ in
                blocks
            })
    }

    /// `query`: a username's beginning (2 characters at least) or a whole phone number with `+`. Needs a connection.
    public func search(_ query: String) async throws(ClientError) -> [FoundUser] {
        let account = try await keeper.current()
        let found = try await account.api.call(Routes.searchUsers, query: ["q": query]).items
        // Known from now on, so that an action on one of them can be shown without a connection.
        try await ClientError.wrapping { try await account.store.store(found.map(\.user)) }
        return found
    }

    public func sendRequest(to user: User) async throws(ClientError) {
        try await queue { try await $0.sendFriendRequest(to: user, at: $1) }
    }

    public func accept(from user: ID<User>) async throws(ClientError) {
        try await queue { try await $0.acceptFriendRequest(from: user, at: $1) }
    }

    public func decline(from user: ID<User>) async throws(ClientError) {
        try await queue { try await $0.declineFriendRequest(from: user, at: $1) }
    }

    public func cancel(to user: ID<User>) async throws(ClientError) {
        try await queue { try await $0.cancelFriendRequest(to: user, at: $1) }
    }

    public func remove(_ friend: ID<User>) async throws(ClientError) {
        try await queue { try await $0.removeFriend(friend, at: $1) }
    }

    public func block(_ user: ID<User>) async throws(ClientError) {
        try await queue { try await $0.block(user, at: $1) }
    }

    public func unblock(_ user: ID<User>) async throws(ClientError) {
        try await queue { try await $0.unblock(user, at: $1) }
    }

    /// `comment` at most 1,000 characters. Needs a connection: whoever reports is to know that it arrived.
    public func report(
        _ user: ID<User>, message: ID<Message>? = nil, reason: Report.Reason, comment: String? = nil
    ) async throws(ClientError) {
        do throws(APIError) {
            if let comment { try ReportComment.check(comment) }
        } catch {
            throw ClientError(.invalid, error.message, details: error.details)
        }
        let report = NewReport(userID: user, messageID: message, reason: reason, comment: comment)
        _ = try await keeper.current().api.call(Routes.report, report)
    }

    private func queue(
        _ action: @Sendable (Store, Timestamp) async throws -> Void
    ) async throws(ClientError) {
        try await keeper.queue(action)
    }
}

extension SessionKeeper {
    /// Stores what a person did, then has the outbox look at it.
    nonisolated func queue<T: Sendable>(
        _ action: @Sendable (Store, Timestamp) async throws -> T
    ) async throws(ClientError) -> T {
        let account = try await current()
        let result = try await ClientError.wrapping { try await action(account.store, account.clock.now) }
        await account.engine.outbox.drain()
        return result
    }
}

extension SyncEngine.LiveState {
    /// The later word counts.
    func presence(of user: ID<User>, stored: Presence?) -> Presence? {
        guard let live = presences[user] else { return stored }
        guard let stored, stored.at > live.at else { return live }
        return stored
    }
}
