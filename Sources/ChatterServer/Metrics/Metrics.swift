import Synchronization

/// The server's counters since its start.
final class Metrics: Sendable {
    private struct Requests: Hashable {
        let route: String
        let status: Int
    }

    private let requests = Mutex<[Requests: Int]>([:])
    private let framesIn = Mutex<[String: Int]>([:])
    private let framesOutCount = Atomic<Int>(0)
    private let malformedCount = Atomic<Int>(0)
    private let rateLimitedCount = Atomic<Int>(0)
    private let slowConsumerCount = Atomic<Int>(0)

    func request(route: String, status: Int) {
        requests.withLock { $0[Requests(route: route, status: status), default: 0] += 1 }
        if status == 429 { rateLimited() }
    }

    /// `type` is one of the contract's or `unknown`: a client must not invent labels.
    func frameReceived(_ type: String) { framesIn.withLock { $0[type, default: 0] += 1 } }
    func frameSent() { framesOutCount.add(1, ordering: .relaxed) }
    func malformedFrame() { malformedCount.add(1, ordering: .relaxed) }
    func rateLimited() { rateLimitedCount.add(1, ordering: .relaxed) }
    func slowConsumer() { slowConsumerCount.add(1, ordering: .relaxed) }

    /// Prometheus' text format.
    func page(connections: Int, storage: GroupStatistics, process: ProcessUse) -> String {
        var page = MetricsPage()
        page.counter("chatter_requests_total", "HTTP requests by route and status.")
        for (key, count) in requests.withLock({ $0 }).sorted(by: {
            ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status)
        }) {
            page.value(count, ["route": key.route, "status": String(key.status)])
        }
        page.counter("chatter_frames_received_total", "WebSocket frames from clients by type.")
        for (type, count) in framesIn.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
            page.value(count, ["type": type])
        }
        page.counter("chatter_frames_sent_total", "WebSocket frames queued for clients.")
        page.value(framesOutCount.load(ordering: .relaxed))
        page.counter("chatter_frames_malformed_total", "WebSocket frames that were no JSON of the contract.")
        page.value(malformedCount.load(ordering: .relaxed))
        page.counter("chatter_rate_limited_total", "Requests and frames refused by a rate limit.")
        page.value(rateLimitedCount.load(ordering: .relaxed))
        page.counter("chatter_slow_consumers_total", "Connections closed because they read too slowly.")
        page.value(slowConsumerCount.load(ordering: .relaxed))
        page.gauge("chatter_connections", "Open WebSocket connections.")
        page.value(connections)
        add(storage, to: &page)
        add(process, to: &page)
        return page.text
    }

    private func add(_ storage: GroupStatistics, to page: inout MetricsPage) {
        page.histogram(
            "chatter_commit_jobs", "Jobs in a group commit; each is one sync to disk.", storage.sizes)
        page.histogram("chatter_commit_seconds", "Time of a group commit.", storage.seconds)
        page.counter("chatter_commits_failed_total", "Group commits that the storage refused.")
        page.value(storage.failedGroups)
        page.gauge("chatter_write_queue_jobs", "Jobs waiting for a commit.")
        page.value(storage.waiting)
    }

    private func add(_ process: ProcessUse, to page: inout MetricsPage) {
        page.counter("process_cpu_seconds_total", "User and system time of the process.")
        page.value(process.cpuSeconds)
        page.gauge("process_resident_memory_bytes", "Resident memory of the process.")
        page.value(process.residentBytes)
    }
}
