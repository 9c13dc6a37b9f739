import ChatterModel
import WebSockets

/// `/healthz` and `/metrics`.
struct OperationsRoutes: Sendable {
    let health: HealthCheck
    let metrics: Metrics
    let storage: Storage
    let hub: Hub

    func register(on router: Router) {
        router.onOpen(Routes.health) { try await health.check() }
        router.onPage("/metrics") {
            let page = metrics.page(
                connections: hub.connectionCount, storage: storage.statistics, process: .now())
            return HTTPResponse(
                status: 200, headers: [("Content-Type", "text/plain; version=0.0.4; charset=utf-8")],
                body: Array(page.utf8))
        }
    }
}
