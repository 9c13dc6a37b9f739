import ChatterModel

/// The devices that are signed in to this account. Both calls need a connection.
public struct DevicesRepository: Sendable {
    public func list() async throws(ClientError) -> [Device] { throw .notBuilt }

    /// Signs another device out. For this one, `AuthRepository.logOut`.
    public func signOut(_ id: ID<Device>) async throws(ClientError) { throw .notBuilt }
}
