import ChatterModel
import SQLite

/// A checked change of one's profile.
struct ProfileEdits: Sendable, Equatable {
    let displayName: String?
    let username: String?
    let about: String?
    let lastSeenVisibility: LastSeenVisibility?

    /// Throws VALIDATION_FAILED.
    init(_ edit: EditProfile) throws(APIError) {
        displayName = try edit.displayName.canonical(DisplayName.canonical)
        username = try edit.username.canonical { raw throws(APIError) in try Username.canonical(raw) }
        about = try edit.about.canonical(About.canonical)
        lastSeenVisibility = edit.lastSeenVisibility
    }

    /// Saves what differs and tells those who see it. Throws USERNAME_TAKEN.
    func apply(to user: ID<User>, presence: PresenceBoard, in transaction: WriteTransaction) throws -> Me {
        let database = transaction.database
        let before = try UserQueries.me(user, in: database)
        var after = before
        after.displayName = displayName ?? before.displayName
        after.username = username ?? before.username
        after.about = about ?? before.about
        after.lastSeenVisibility = lastSeenVisibility ?? before.lastSeenVisibility
        guard after != before else { return before }
        if after.username != before.username { try checkFree(of: user, in: database) }

        after.version = transaction.nextPosition()
        after.profileComplete = after.username != nil && after.displayName != nil
        try database.run(
            """
            UPDATE users SET display_name = ?, username = ?, about = ?, last_seen_visibility = ?, position = ?
            WHERE id = ?
            """, after.displayName, after.username, after.about, after.lastSeenVisibility.rawValue,
            after.version, user)
        try publish(before: before, after: after, presence: presence, in: transaction)
        return after
    }

    private func checkFree(of user: ID<User>, in database: Database) throws {
        let isTaken = try database.first(
            """
            SELECT 1 FROM users o JOIN users u ON u.workspace_id = o.workspace_id
            WHERE u.id = ?1 AND o.username = ?2 AND o.id <> ?1
            """, user, username
        ) { _ in true }
        if isTaken == true { throw APIError(.usernameTaken, "somebody else has this username") }
    }

    private func publish(
        before: Me, after: Me, presence: PresenceBoard, in transaction: WriteTransaction
    ) throws {
        transaction.publish(.syncChanged, to: after.id)
        let isVisible =
            before.displayName != after.displayName || before.username != after.username
            || before.about != after.about
        if isVisible {
            let audience = try UserQueries.audience(of: after.id, in: transaction.database)
            transaction.publish(.userUpdated(User(after)), to: audience)
        }
        if before.lastSeenVisibility != after.lastSeenVisibility {
            try PresenceQueries.publishVisibility(of: after.id, presence: presence, in: transaction)
        }
    }
}

extension User {
    /// What others see of an account.
    init(_ me: Me) {
        self.init(
            id: me.id, username: me.username, displayName: me.displayName, about: me.about,
            avatarURL: me.avatarURL, version: me.version)
    }
}

extension Optional<String> {
    fileprivate func canonical(_ rule: (String) throws(APIError) -> String) throws(APIError) -> String? {
        guard let raw = self else { return nil }
        return try rule(raw)
    }
}
