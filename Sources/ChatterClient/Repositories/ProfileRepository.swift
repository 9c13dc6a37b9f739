import ChatterModel

/// One's own profile.
public struct ProfileRepository: Sendable {
    /// The profile with queued edits applied, and again after each change. Ends at sign-out.
    public func me() -> AsyncStream<Me> { .empty }

    /// Shown at once. With a connection the server's verdict is awaited and a refusal thrown (`USERNAME_TAKEN`);
    /// without one the edit is queued.
    @discardableResult
    public func edit(_ edit: EditProfile) async throws(ClientError) -> EditOutcome {
        throw .notBuilt
    }

    /// Needs a connection.
    public func availability(of username: String) async throws(ClientError) -> UsernameAvailability {
        throw .notBuilt
    }
}

public enum EditOutcome: Hashable, Sendable {
    case saved(Me)
    /// Waits in the outbox.
    case queued
}
