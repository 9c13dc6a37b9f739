import ChatterModel

/// What the resources are made of.
struct Services: Sendable {
    let configuration: ServerConfiguration
    let clock: any ServerClock
    let random: any RandomBytes
    let storage: Storage
    let hub: Hub
    let access: AccessCheck
    let mint: TokenMint
    let keys: ServerKeys
    let limiter: RateLimiter
    let codeSender: any CodeSender
    let metrics: Metrics
    let log: Log
}

/// The one list of what the server serves: a line a resource.
enum Resources {
    static func register(on router: Router, _ services: Services) {
        let storage = services.storage
        let signOut = DeviceSignOut(hub: services.hub, access: services.access)
        OperationsRoutes(
            health: HealthCheck(storage: storage, clock: services.clock), metrics: services.metrics,
            storage: storage, hub: services.hub
        ).register(on: router)
        AuthRoutes(services, signOut: signOut).register(on: router)
        DevicesRoutes(storage: storage, signOut: signOut).register(on: router)
        AdminRoutes(storage: storage).register(on: router)
    }

    /// What client frames do.
    static func frames(_ services: Services) -> any FrameActions {
        NoFrames()
    }

    /// Whatever else must be running before the first request: presence, the echo bot.
    static func start(_ services: Services) async throws {
    }

    /// When every connection is closed and the storage still open.
    static func stop(_ services: Services) async {
    }
}

/// Stands here until the chat's own actions land.
private struct NoFrames: FrameActions {
    private func refuse(_ id: String?, _ connection: LiveConnection) {
        connection.reject(APIError(.notFound, "not served yet"), id: id)
    }
    func syncRequest(_ request: SyncRequest, id: String?, from connection: LiveConnection) {
        refuse(id, connection)
    }
    func messageSend(_ message: SendMessage, id: String?, from connection: LiveConnection) {
        refuse(id, connection)
    }
    func receiptDelivered(_ mark: Watermark, id: String?, from connection: LiveConnection) {
        refuse(id, connection)
    }
    func receiptRead(_ mark: Watermark, id: String?, from connection: LiveConnection) {
        refuse(id, connection)
    }
    func typing(_ typing: TypingIn, isTyping: Bool, id: String?, from connection: LiveConnection) {
        refuse(id, connection)
    }
}
