import ChatterModel
import Synchronization

/// Says whether the storage can be read and written. A write is tried at most once a second, however often one asks.
final class HealthCheck: Sendable {
    private let storage: Storage
    private let clock: any ServerClock
    private let lastSuccess = Mutex<Duration?>(nil)

    init(storage: Storage, clock: any ServerClock) {
        self.storage = storage
        self.clock = clock
    }

    /// Throws UNAVAILABLE when not.
    func check() async throws -> Health {
        let now = clock.uptime
        let isFresh = lastSuccess.withLock { last in last.map { now - $0 < .seconds(1) } ?? false }
        if !isFresh {
            let written = try await storage.write { transaction in
                try transaction.database.run("UPDATE counters SET value = value + 1 WHERE name = 'health'")
                return try transaction.database.first("SELECT value FROM counters WHERE name = 'health'") {
                    $0.int64(0)
                }
            }
            let read = try await storage.read { database in
                try database.first("SELECT value FROM counters WHERE name = 'health'") { $0.int64(0) }
            }
            guard let written, let read, read >= written else {
                throw APIError(.unavailable, "the storage does not hold what was written", retryAfter: 5)
            }
            lastSuccess.withLock { $0 = now }
        }
        return Health(status: "ok")
    }
}
