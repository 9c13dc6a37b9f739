import ChatterModel

/// Reporting a person or one of their messages.
struct ReportsRoutes {
    let storage: Storage

    func register(on router: Router) {
        let storage = storage
        router.on(Routes.report, limit: .reports) { call, report in
            try ReportComment.check(report.comment ?? "")
            return try await storage.write { transaction in
                try ReportQueries.file(report, by: call.user, workspace: call.workspace, in: transaction)
            }
        }
    }
}
