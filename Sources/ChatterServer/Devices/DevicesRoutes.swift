import ChatterModel

/// The signed-in devices of one's own account.
struct DevicesRoutes: Sendable {
    let storage: Storage
    let signOut: DeviceSignOut

    func register(on router: Router) {
        router.on(Routes.devices) { call, _ in
            Page(
                items: try await storage.read { database in
                    try DeviceQueries.devices(of: call.user, current: call.device, in: database)
                })
        }
        router.on(Routes.signOutDevice) { call, _ in
            let device: ID<Device> = call.id()
            try await storage.write { transaction in
                guard try DeviceQueries.isDevice(device, of: call.user, in: transaction.database) else {
                    throw APIError(.notFound, "no such device")
                }
                try signOut(device, of: call.user, in: transaction)
            }
            return Nothing()
        }
    }
}

/// Ends a device's session: its row, its sockets, its place in the cache.
struct DeviceSignOut: Sendable {
    let hub: Hub
    let access: AccessCheck

    func callAsFunction(_ device: ID<Device>, of user: ID<User>, in transaction: WriteTransaction) throws {
        try DeviceQueries.remove(device, in: transaction.database)
        finish(device, of: user, in: transaction)
    }

    /// For a device whose row is already gone.
    func finish(_ device: ID<Device>, of user: ID<User>, in transaction: WriteTransaction) {
        transaction.afterCommit { [hub, access] in
            access.forget(device: device)
            hub.close(device: device, code: .signedOut)
        }
        // The other devices' lists have changed.
        transaction.publish(.syncChanged, to: user)
    }
}
