import ChatterModel
import SQLite
import Synchronization

/// A bot for every workspace. New workspaces, which another process may have made, get theirs within seconds.
final class EchoBots: Sendable {
    private static let pause = Duration.seconds(5)

    private struct State {
        var bots: [ID<Workspace>: EchoBot] = [:]
        var alarm: ScheduledWork?
        var isStopped = false
    }

    private let parts: EchoParts
    private let state = Mutex(State())

    init(_ parts: EchoParts) { self.parts = parts }

    /// Returns when every workspace there is has its bot.
    func start() async throws {
        let bots = try await parts.storage.write { [self] in try missingBots(in: $0) }
        connect(bots)
        lookLater()
    }

    func stop() {
        let (bots, alarm) = state.withLock { state in
            state.isStopped = true
            return (state.bots.values, state.alarm)
        }
        alarm?.cancel()
        for bot in bots { bot.stop() }
    }

    private func look() {
        parts.storage.enqueue { [self] transaction in
            let bots = try missingBots(in: transaction)
            transaction.afterCommit { [self] in connect(bots) }
        } failed: { [log = parts.log] error in
            log.error("echo bots were not made", ["cause": .error(error)])
        }
        lookLater()
    }

    private func lookLater() {
        let alarm = parts.clock.schedule(after: Self.pause) { [weak self] in self?.look() }
        let isStopped = state.withLock { state in
            state.alarm = alarm
            return state.isStopped
        }
        if isStopped { alarm.cancel() }
    }

    private func missingBots(in transaction: WriteTransaction) throws -> [ID<Workspace>: ID<User>] {
        let workspaces: [ID<Workspace>] = try transaction.database.all("SELECT id FROM workspaces") {
            $0.id(0)
        }
        let known = state.withLock { Set($0.bots.keys) }
        var bots: [ID<Workspace>: ID<User>] = [:]
        for workspace in workspaces where !known.contains(workspace) {
            bots[workspace] = try EchoQueries.ensureBot(in: workspace, transaction)
        }
        return bots
    }

    private func connect(_ users: [ID<Workspace>: ID<User>]) {
        for (workspace, user) in users {
            let bot = EchoBot(user: user, parts: parts)
            let isNew = state.withLock { state in
                guard state.bots[workspace] == nil, !state.isStopped else { return false }
                state.bots[workspace] = bot
                return true
            }
            if isNew { bot.start(in: workspace) }
        }
    }
}
