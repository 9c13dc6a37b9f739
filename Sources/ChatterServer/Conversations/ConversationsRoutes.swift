import ChatterModel

/// Opening conversations, listing them, and one's own settings of each.
struct ConversationsRoutes {
    let storage: Storage
    let clock: any ServerClock

    func register(on router: Router) {
        let (storage, clock) = (storage, clock)
        router.on(Routes.openDirect) { call, body in
            try await storage.write { transaction in
                try ConversationQueries.openDirect(
                    with: body.userID, by: call.user, workspace: call.workspace, in: transaction)
            }
        }
        router.on(Routes.conversations) { call, _ in
            let since = call.query.text("updatedSince")
            let limit = try call.query.limit()
            return try await storage.read { database in
                let cursor = try SyncCursor.reading(since, parameter: "updatedSince", in: database)
                return try ConversationQueries.page(
                    for: call.user, after: cursor, limit: limit, now: clock.now, in: database)
            }
        }
        router.on(Routes.conversation) { call, _ in
            try await storage.read { database in
                try ConversationQueries.get(call.id(), for: call.user, now: clock.now, in: database)
            }
        }
        router.on(Routes.editSettings) { call, edit in
            try await storage.write { transaction in
                try SettingsQueries.edit(edit, of: call.id(), by: call.user, in: transaction)
            }
        }
    }
}
