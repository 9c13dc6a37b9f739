import ChatterModel

/// Whom one has blocked.
struct BlocksRoutes {
    let storage: Storage
    let presence: PresenceBoard

    func register(on router: Router) {
        let (storage, presence) = (storage, presence)
        router.on(Routes.blocks) { call, _ in
            let after: ID<User>? = try call.query.cursor()
            let limit = try call.query.limit()
            let blocks = try await storage.read { database in
                try BlockQueries.list(of: call.user, after: after, limit: limit + 1, in: database)
            }
            return blocks.page(limit: limit) { $0.user.id.rawValue }
        }
        router.on(Routes.block) { call, _ in
            try await storage.write { transaction in
                try BlockQueries.block(
                    call.id("userId"), by: call.user, workspace: call.workspace, presence: presence,
                    in: transaction)
            }
        }
        router.on(Routes.unblock) { call, _ in
            try await storage.write { transaction in
                try BlockQueries.unblock(
                    call.id("userId"), by: call.user, presence: presence, in: transaction)
            }
            return Nothing()
        }
    }
}
