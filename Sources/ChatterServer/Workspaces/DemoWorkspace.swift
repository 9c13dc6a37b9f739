import ChatterModel

/// The workspace of challenge mode. Its key is well known, so that nobody has to copy one to try Chatter; outside
/// challenge mode the key opens nothing.
enum DemoWorkspace {
    static func ensure(in storage: Storage, random: any RandomBytes) async throws {
        try await storage.write { transaction in
            let database = transaction.database
            guard try WorkspaceQueries.find(clientKey: WorkspaceQueries.demoKey, in: database) == nil else {
                return
            }
            let id: ID<Workspace> = transaction.newID()
            let keys = WorkspaceKeys(
                id: id.rawValue, name: "demo", clientKey: WorkspaceQueries.demoKey, random: random)
            try WorkspaceQueries.insert(keys, createdAt: transaction.now, in: database)
        }
    }
}
