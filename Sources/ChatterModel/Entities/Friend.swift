public struct Friend: Codable, Hashable, Sendable {
    public var user: User
    public var since: Timestamp
    public var presence: Presence
    public var version: Int64

    public init(user: User, since: Timestamp, presence: Presence, version: Int64) {
        self.user = user
        self.since = since
        self.presence = presence
        self.version = version
    }
}

public struct FriendRequest: Codable, Hashable, Sendable {
    public enum Status: String, Codable, Hashable, Sendable, CaseIterable {
        case pending, accepted, declined, cancelled
    }

    public enum Direction: String, Codable, Hashable, Sendable, CaseIterable {
        case incoming, outgoing
    }

    public var id: ID<FriendRequest>
    public var from: User
    public var to: User
    public var status: Status
    public var createdAt: Timestamp
    public var version: Int64

    public init(
        id: ID<FriendRequest>, from: User, to: User, status: Status, createdAt: Timestamp, version: Int64
    ) {
        self.id = id
        self.from = from
        self.to = to
        self.status = status
        self.createdAt = createdAt
        self.version = version
    }
}

/// Somebody this account has blocked.
public struct Block: Codable, Hashable, Sendable {
    public var user: User
    public var createdAt: Timestamp
    public var version: Int64

    public init(user: User, createdAt: Timestamp, version: Int64) {
        self.user = user
        self.createdAt = createdAt
        self.version = version
    }
}

/// What is no longer there for this user: a friend, a block.
public struct Removed: Codable, Hashable, Sendable {
    public var userID: ID<User>
    public var version: Int64

    public init(userID: ID<User>, version: Int64) {
        self.userID = userID
        self.version = version
    }

    enum CodingKeys: String, CodingKey {
        case version
        case userID = "userId"
    }
}
