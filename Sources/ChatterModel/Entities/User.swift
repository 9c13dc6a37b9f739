/// What one person may see of another. A deleted account keeps its last name, so that history stays readable.
public struct User: Codable, Hashable, Sendable {
    public var id: ID<User>
    public var username: String?
    public var displayName: String?
    public var about: String
    public var avatarURL: String?
    public var isDeleted: Bool
    /// Grows with each change of this record; a merge keeps the larger.
    public var version: Int64

    public init(
        id: ID<User>, username: String?, displayName: String?, about: String = "", avatarURL: String? = nil,
        isDeleted: Bool = false, version: Int64
    ) {
        self.id = id
        self.username = username
        self.displayName = displayName
        self.about = about
        self.avatarURL = avatarURL
        self.isDeleted = isDeleted
        self.version = version
    }

    enum CodingKeys: String, CodingKey {
        case id, username, displayName, about, isDeleted, version
        case avatarURL = "avatarUrl"
    }
}

/// One's own account.
public struct Me: Codable, Hashable, Sendable {
    public var id: ID<User>
    /// E.164.
    public var phone: String
    public var username: String?
    public var displayName: String?
    public var about: String
    public var avatarURL: String?
    public var lastSeenVisibility: LastSeenVisibility
    /// True once a display name and a username are set; until then other people's routes answer PROFILE_INCOMPLETE.
    public var profileComplete: Bool
    public var version: Int64

    public init(
        id: ID<User>, phone: String, username: String?, displayName: String?, about: String = "",
        avatarURL: String? = nil, lastSeenVisibility: LastSeenVisibility = .friends, profileComplete: Bool,
        version: Int64
    ) {
        self.id = id
        self.phone = phone
        self.username = username
        self.displayName = displayName
        self.about = about
        self.avatarURL = avatarURL
        self.lastSeenVisibility = lastSeenVisibility
        self.profileComplete = profileComplete
        self.version = version
    }

    enum CodingKeys: String, CodingKey {
        case id, phone, username, displayName, about, lastSeenVisibility, profileComplete, version
        case avatarURL = "avatarUrl"
    }
}

/// Who sees when this person was last online. Whoever hides it sees nobody else's, as people expect.
public enum LastSeenVisibility: String, Codable, Hashable, Sendable, CaseIterable {
    case friends, nobody
}

public enum FriendshipStatus: String, Codable, Hashable, Sendable, CaseIterable {
    case none, requestSent, requestReceived, friends
}

/// A person as the search and `GET /users/{id}` show them.
public struct FoundUser: Codable, Hashable, Sendable {
    public var user: User
    public var friendshipStatus: FriendshipStatus
    /// The pending request between the two, when there is one.
    public var requestID: ID<FriendRequest>?

    public init(user: User, friendshipStatus: FriendshipStatus, requestID: ID<FriendRequest>? = nil) {
        self.user = user
        self.friendshipStatus = friendshipStatus
        self.requestID = requestID
    }

    enum CodingKeys: String, CodingKey {
        case user, friendshipStatus
        case requestID = "requestId"
    }
}

/// Online state at the server's time `at`; of two, the one with the later `at` holds.
public struct Presence: Codable, Hashable, Sendable {
    public var userID: ID<User>
    public var online: Bool
    /// Absent while online, when hidden by privacy, and when never seen.
    public var lastSeenAt: Timestamp?
    public var at: Timestamp

    public init(userID: ID<User>, online: Bool, lastSeenAt: Timestamp?, at: Timestamp) {
        self.userID = userID
        self.online = online
        self.lastSeenAt = lastSeenAt
        self.at = at
    }

    enum CodingKeys: String, CodingKey {
        case online, lastSeenAt, at
        case userID = "userId"
    }
}
