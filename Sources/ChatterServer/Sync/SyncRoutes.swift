import ChatterModel

/// The one call that repairs everything but messages.
struct SyncRoutes {
    let storage: Storage
    let presence: PresenceBoard
    let clock: any ServerClock

    func register(on router: Router) {
        let (storage, presence, clock) = (storage, presence, clock)
        router.on(Routes.sync) { call, _ in
            let since = call.query.text("since")
            let limit = try call.query.limit()
            return try await storage.read { database in
                let cursor = try SyncCursor.reading(since, parameter: "since", in: database)
                return try SyncQueries(
                    user: call.user, cursor: cursor, limit: limit, now: clock.now, presence: presence,
                    database: database
                ).page()
            }
        }
    }
}
