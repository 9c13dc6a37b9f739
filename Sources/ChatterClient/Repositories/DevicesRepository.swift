import ChatterModel

/// The devices that are signed in to this account. Both calls need a connection.
public struct DevicesRepository: Sendable {
    let keeper: SessionKeeper

    public func list() async throws(ClientError) -> [Device] {
        try await keeper.current().api.call(Routes.devices).items
    }

    /// Signs another device out. For this one, `AuthRepository.logOut`.
    public func signOut(_ id: ID<Device>) async throws(ClientError) {
        _ = try await keeper.current().api.call(Routes.signOutDevice, path: ["id": id.rawValue])
    }
}
