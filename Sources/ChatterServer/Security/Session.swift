import ChatterModel

/// A device whose token was checked.
struct Session: Sendable {
    let workspace: ID<Workspace>
    let user: ID<User>
    let device: ID<Device>
    /// When the access token ends.
    let expiresAt: Timestamp
    let isProfileComplete: Bool
}
