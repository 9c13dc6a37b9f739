import ChatterModel

/// How a person is called.
public enum PersonLabel {
    /// The display name, else the username with `@`; a deleted account may have neither.
    public static func name(of user: User) -> String {
        user.displayName ?? handle(of: user) ?? "Deleted account"
    }

    /// `@alice`; nil for an account that has none.
    public static func handle(of user: User) -> String? { user.username.map { "@\($0)" } }
}
