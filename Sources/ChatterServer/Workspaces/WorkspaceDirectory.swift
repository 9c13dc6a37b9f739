import ChatterModel
import SQLite
import Synchronization

/// Finds a workspace by what an app or an operator sends.
///
/// Keys may be rotated by another process, so that a key found is only trusted for a few seconds.
final class WorkspaceDirectory: Sendable {
    private struct Known {
        let workspace: ID<Workspace>
        let until: Duration
    }

    private let keys = Mutex<[String: Known]>([:])
    private let storage: Storage
    private let clock: any ServerClock

    private let knowsDemo: Bool

    /// - Parameter knowsDemo: whether the well-known key of the demo workspace opens it.
    init(storage: Storage, clock: any ServerClock, knowsDemo: Bool) {
        self.knowsDemo = knowsDemo
        self.storage = storage
        self.clock = clock
    }

    func workspace(clientKey: String?) throws -> ID<Workspace> {
        guard let clientKey, !clientKey.isEmpty else {
            throw APIError(.clientKeyInvalid, "send the workspace's key as \(Headers.clientKey)")
        }
        guard knowsDemo || clientKey != WorkspaceQueries.demoKey else {
            throw APIError(.clientKeyInvalid, "the demo workspace is for challenge mode only")
        }
        let uptime = clock.uptime
        if let known = keys.withLock({ $0[clientKey] }), uptime < known.until { return known.workspace }
        let found = try storage.readNow { try WorkspaceQueries.find(clientKey: clientKey, in: $0) }
        // Only keys that exist are kept, so the table cannot be filled by guessing.
        keys.withLock { $0[clientKey] = found.map { Known(workspace: $0, until: uptime + .seconds(5)) } }
        guard let found else { throw APIError(.clientKeyInvalid, "no workspace has this key") }
        return found
    }

    func workspace(secret: String?) throws -> ID<Workspace> {
        guard let secret,
            let workspace = try storage.readNow({ try WorkspaceQueries.find(secret: secret, in: $0) })
        else { throw APIError(.clientKeyInvalid, "send the workspace's secret as \(Headers.clientSecret)") }
        return workspace
    }
}
