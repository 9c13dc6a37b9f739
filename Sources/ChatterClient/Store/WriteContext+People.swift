import ChatterModel
import SQLite

/// Records of people: of two, the one with the larger version holds, removals included.
extension WriteContext {
    func upsert(_ user: User) throws {
        try database.run(
            """
            INSERT INTO users VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET username = excluded.username, displayName = excluded.displayName,
                about = excluded.about, avatarURL = excluded.avatarURL, isDeleted = excluded.isDeleted,
                version = excluded.version
            WHERE excluded.version > version
            """,
            user.id.rawValue, user.username, user.displayName, user.about, user.avatarURL, user.isDeleted,
            user.version)
    }

    func upsert(_ friend: Friend) throws {
        try upsert(friend.user)
        try database.run(
            """
            INSERT INTO friends (userID, since, removed, version) VALUES (?, ?, 0, ?)
            ON CONFLICT (userID) DO UPDATE SET since = excluded.since, removed = 0, version = excluded.version
            WHERE excluded.version > version
            """, friend.user.id.rawValue, friend.since.milliseconds, friend.version)
        try upsert(friend.presence)
    }

    /// Only when somebody was last seen is kept: "online" is nothing to remember.
    func upsert(_ presence: Presence) throws {
        try database.run(
            "UPDATE friends SET lastSeenAt = ?, presenceAt = ?2 WHERE userID = ?3 AND presenceAt <= ?2",
            presence.lastSeenAt?.milliseconds, presence.at.milliseconds, presence.userID.rawValue)
    }

    func removeFriend(_ removed: Removed) throws {
        try database.run(
            """
            INSERT INTO friends (userID, since, removed, version) VALUES (?, 0, 1, ?)
            ON CONFLICT (userID) DO UPDATE SET removed = 1, version = excluded.version
            WHERE excluded.version > version
            """, removed.userID.rawValue, removed.version)
    }

    func upsert(_ request: FriendRequest) throws {
        try upsert(request.from)
        try upsert(request.to)
        try database.run(
            """
            INSERT INTO friendRequests VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET status = excluded.status, version = excluded.version
            WHERE excluded.version > version
            """,
            request.id.rawValue, request.from.id.rawValue, request.to.id.rawValue, request.status.rawValue,
            request.createdAt.milliseconds, request.version)
    }

    func upsert(_ block: Block) throws {
        try upsert(block.user)
        try database.run(
            """
            INSERT INTO blocks VALUES (?, ?, 0, ?)
            ON CONFLICT (userID) DO UPDATE SET createdAt = excluded.createdAt, removed = 0,
                version = excluded.version
            WHERE excluded.version > version
            """, block.user.id.rawValue, block.createdAt.milliseconds, block.version)
    }

    func removeBlock(_ removed: Removed) throws {
        try database.run(
            """
            INSERT INTO blocks VALUES (?, 0, 1, ?)
            ON CONFLICT (userID) DO UPDATE SET removed = 1, version = excluded.version
            WHERE excluded.version > version
            """, removed.userID.rawValue, removed.version)
    }

    func upsert(_ profile: Me) throws {
        if let stored = try reading.serverProfile(), stored.version >= profile.version { return }
        try database.setState(.me, try profile.storedJSON)
        try upsert(
            User(
                id: profile.id, username: profile.username, displayName: profile.displayName,
                about: profile.about, avatarURL: profile.avatarURL, version: profile.version))
    }
}

extension ReadContext {
    /// Own profile as the server knows it.
    func serverProfile() throws -> Me? {
        try database.first("SELECT value FROM syncState WHERE key = ?", StateKey.me.rawValue) {
            try $0.json(0, as: Me.self)
        }
    }
}
