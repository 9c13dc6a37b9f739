import ChatterModel
import SQLite

/// What the operator may read, with the workspace's secret.
struct AdminRoutes: Sendable {
    let storage: Storage

    func register(on router: Router) {
        router.onWorkspace(Routes.reports) { call, _ in
            let limit = try call.query.limit()
            let cursor = call.query.text("cursor")
            return try await storage.read { database in
                try AdminQueries.reports(of: call.workspace, before: cursor, limit: limit, in: database)
            }
        }
    }
}

enum AdminQueries {
    /// Newest first; the cursor is the last report's id.
    static func reports(
        of workspace: ID<Workspace>, before cursor: String?, limit: Int, in database: Database
    ) throws -> Page<Report> {
        var items = try database.all(
            """
            SELECT id, reporter_id, user_id, message_id, message_body, reason, comment, created_at
            FROM reports WHERE workspace_id = ? AND id < ? ORDER BY id DESC LIMIT ?
            """,
            // Above every id: ids are hexadecimal.
            workspace.rawValue, cursor ?? "g", limit + 1
        ) { row in
            Report(
                id: ID(row.text(0)), reporterID: ID(row.text(1)), userID: ID(row.text(2)),
                messageID: row.optionalText(3).map { ID($0) }, messageBody: row.optionalText(4),
                reason: Report.Reason(rawValue: row.text(5)) ?? .other, comment: row.text(6),
                createdAt: Timestamp(milliseconds: row.int64(7)))
        }
        guard items.count > limit else { return Page(items: items) }
        items.removeLast()
        return Page(items: items, nextCursor: items.last?.id.rawValue)
    }
}
