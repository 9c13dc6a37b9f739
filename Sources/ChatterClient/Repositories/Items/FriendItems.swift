import ChatterModel

/// A row of the friends list.
public struct FriendItem: Hashable, Sendable, Identifiable {
    public var user: User
    public var since: Timestamp
    /// nil when nothing is known or shown.
    public var presence: Presence?

    public var id: ChatterModel.ID<User> { user.id }

    public init(user: User, since: Timestamp, presence: Presence?) {
        self.user = user
        self.since = since
        self.presence = presence
    }
}

/// A pending friend request. There is at most one between two people, so the other person names it.
public struct RequestItem: Hashable, Sendable, Identifiable {
    public var user: User
    public var direction: FriendRequest.Direction
    public var createdAt: Timestamp
    /// Written here but not yet taken by the server.
    public var isQueued: Bool

    public var id: ChatterModel.ID<User> { user.id }

    public init(user: User, direction: FriendRequest.Direction, createdAt: Timestamp, isQueued: Bool) {
        self.user = user
        self.direction = direction
        self.createdAt = createdAt
        self.isQueued = isQueued
    }
}

/// Somebody this account has blocked.
public struct BlockItem: Hashable, Sendable, Identifiable {
    public var user: User
    public var createdAt: Timestamp

    public var id: ChatterModel.ID<User> { user.id }

    public init(user: User, createdAt: Timestamp) {
        self.user = user
        self.createdAt = createdAt
    }
}
