import ChatterModel

/// People: search, requests, friends, blocks, reports.
///
/// Actions are shown at once and queued: they throw only when nobody is signed in, when the text is refused here, or
/// when the local database fails. Pending requests are named by the other person.
public struct FriendsRepository: Sendable {
    /// By name. Ends at sign-out.
    public func friends() -> AsyncStream<[FriendItem]> { .empty }

    /// Pending ones in both directions, newest first. Ends at sign-out.
    public func requests() -> AsyncStream<[RequestItem]> { .empty }

    /// Newest first. Ends at sign-out.
    public func blocked() -> AsyncStream<[BlockItem]> { .empty }

    /// `query`: a username's beginning (2 characters at least) or a whole phone number with `+`. Needs a connection.
    public func search(_ query: String) async throws(ClientError) -> [FoundUser] { throw .notBuilt }

    public func sendRequest(to user: User) async throws(ClientError) { throw .notBuilt }
    public func accept(from user: ID<User>) async throws(ClientError) { throw .notBuilt }
    public func decline(from user: ID<User>) async throws(ClientError) { throw .notBuilt }
    public func cancel(to user: ID<User>) async throws(ClientError) { throw .notBuilt }
    public func remove(_ friend: ID<User>) async throws(ClientError) { throw .notBuilt }
    public func block(_ user: ID<User>) async throws(ClientError) { throw .notBuilt }
    public func unblock(_ user: ID<User>) async throws(ClientError) { throw .notBuilt }

    /// `comment` at most 1,000 characters.
    public func report(
        _ user: ID<User>, message: ID<Message>? = nil, reason: Report.Reason, comment: String? = nil
    ) async throws(ClientError) {
        throw .notBuilt
    }
}
