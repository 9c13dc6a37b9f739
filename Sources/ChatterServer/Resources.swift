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
    let chat: Chat
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
        services.chat.register(on: router, access: services.access, signOut: signOut)
    }

    /// What client frames do.
    static func frames(_ services: Services) -> any FrameActions {
        services.chat.frames
    }

    /// Whatever else must be running before the first request: presence, the echo bot.
    static func start(_ services: Services) async throws {
        try await services.chat.start()
    }

    /// When every connection is closed and the storage still open.
    static func stop(_ services: Services) async {
        services.chat.stop()
    }
}
