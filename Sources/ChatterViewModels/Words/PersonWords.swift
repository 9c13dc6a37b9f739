import ChatterModel

/// How people are called.
nonisolated public enum PersonWords {
    public static func name(of user: User) -> String {
        if let name = user.displayName { return name }
        return user.username.map { "@\($0)" } ?? "Deleted account"
    }

    /// `@alice`; nil for an account that has none.
    public static func handle(of user: User) -> String? { user.username.map { "@\($0)" } }
}
