import ChatterModel

/// What people do with each other: wires the resources that share presence, typing and the echo bot.
struct Chat: Sendable {
    let frames: ChatFrames
    private let storage: Storage
    private let hub: Hub
    private let clock: any ServerClock
    private let log: Log
    private let presence: PresenceBoard
    private let typing: TypingRelay
    private let bots: EchoBots?

    init(storage: Storage, hub: Hub, clock: any ServerClock, log: Log, hasEchoBot: Bool) {
        self.storage = storage
        self.hub = hub
        self.clock = clock
        self.log = log
        presence = PresenceBoard(storage: storage, hub: hub, clock: clock, log: log)
        typing = TypingRelay(storage: storage, hub: hub, clock: clock)
        frames = ChatFrames(
            storage: storage, typing: typing,
            sync: SyncStream(storage: storage, presence: presence, clock: clock), log: log)
        let parts = EchoParts(
            storage: storage, hub: hub, presence: presence, typing: typing, clock: clock, log: log)
        bots = hasEchoBot ? EchoBots(parts) : nil
    }

    func register(on router: Router, access: AccessCheck, signOut: DeviceSignOut) {
        UsersRoutes(storage: storage, presence: presence, access: access, signOut: signOut)
            .register(on: router)
        FriendsRoutes(storage: storage, presence: presence, clock: clock).register(on: router)
        BlocksRoutes(storage: storage, presence: presence).register(on: router)
        ReportsRoutes(storage: storage).register(on: router)
        ConversationsRoutes(storage: storage, clock: clock).register(on: router)
        MessagesRoutes(storage: storage).register(on: router)
        ReceiptsRoutes(storage: storage).register(on: router)
        SyncRoutes(storage: storage, presence: presence, clock: clock).register(on: router)
    }

    /// Returns when the echo bots are there.
    func start() async throws {
        hub.onFirstConnection { [presence] in presence.came($0) }
        hub.onLastDisconnection { [presence, typing, log] user in
            presence.left(user)
            do {
                try typing.left(user)
            } catch {
                // The receivers let it expire by themselves.
                log.warning("typing was not ended", ["cause": .error(error)])
            }
        }
        try await bots?.start()
    }

    /// When every connection is closed.
    func stop() {
        bots?.stop()
        presence.stop()
    }
}
