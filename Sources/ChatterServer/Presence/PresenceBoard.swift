import ChatterModel
import SQLite
import Synchronization

/// Who counts as online: whoever has a live connection or had one a moment ago, so that a network switch does not
/// flicker. Keeps `last_seen_at` and tells friends.
final class PresenceBoard: Sendable {
    /// How long somebody without a connection still counts as online.
    static let grace = Duration.seconds(5)

    private struct Departure {
        let number: UInt64
        let at: Timestamp
        var work: ScheduledWork?
    }

    private struct State {
        var online: Set<ID<User>> = []
        var leaving: [ID<User>: Departure] = [:]
        var departures: UInt64 = 0
        var isStopped = false
    }

    private let state = Mutex(State())
    private let storage: Storage
    private let hub: Hub
    private let clock: any ServerClock
    private let log: Log

    init(storage: Storage, hub: Hub, clock: any ServerClock, log: Log) {
        self.storage = storage
        self.hub = hub
        self.clock = clock
        self.log = log
    }

    func isOnline(_ user: ID<User>) -> Bool { state.withLock { $0.online.contains(user) } }

    /// Somebody's state as a person sees it who may.
    func presence(of user: ID<User>, lastSeenAt: Timestamp?, now: Timestamp) -> Presence {
        let online = isOnline(user)
        return Presence(userID: user, online: online, lastSeenAt: online ? nil : lastSeenAt, at: now)
    }

    /// From `PresenceQueries.columns`, which say whether the viewer may see it.
    func presence(of user: ID<User>, _ row: borrowing Row, at start: Int, now: Timestamp) -> Presence {
        guard row.bool(start + 1) else {
            return Presence(userID: user, online: false, lastSeenAt: nil, at: now)
        }
        return presence(of: user, lastSeenAt: row.optionalTimestamp(start), now: now)
    }

    /// The first connection of `user` opened.
    func came(_ user: ID<User>) {
        let (isNew, ended) = state.withLock { state in
            let departure = state.leaving.removeValue(forKey: user)
            return (state.online.insert(user).inserted, departure?.work)
        }
        ended?.cancel()
        if isNew { publish(user, seenAt: clock.now) }
    }

    /// The last connection of `user` closed.
    func left(_ user: ID<User>) {
        let number: UInt64? = state.withLock { state in
            guard !state.isStopped else { return nil }
            state.departures += 1
            state.leaving[user] = Departure(number: state.departures, at: clock.now)
            return state.departures
        }
        guard let number else { return }
        let work = clock.schedule(after: Self.grace) { [weak self] in
            self?.graceEnded(for: user, departure: number)
        }
        state.withLock { state in
            if state.leaving[user]?.number == number { state.leaving[user]?.work = work }
        }
    }

    /// The server stops: whoever is online was last seen now, and nobody is told, since all will be back.
    func stop() {
        let (leaving, online) = state.withLock { state in
            defer { state = State(isStopped: true) }
            return (state.leaving, state.online)
        }
        for departure in leaving.values { departure.work?.cancel() }
        let now = clock.now
        storage.enqueue { transaction in
            for user in online.sorted() {
                try Self.store(leaving[user]?.at ?? now, for: user, in: transaction.database)
            }
        } failed: { [log] error in
            log.error("last seen times were not stored", ["cause": .error(error)])
        }
    }

    private func graceEnded(for user: ID<User>, departure number: UInt64) {
        let leftAt: Timestamp? = state.withLock { state in
            guard let departure = state.leaving[user], departure.number == number else { return nil }
            state.leaving[user] = nil
            // Another connection may have opened whose notice was overtaken by this one's.
            guard !hub.isOnline(user) else { return nil }
            state.online.remove(user)
            return departure.at
        }
        if let leftAt { publish(user, seenAt: leftAt) }
    }

    /// What is published is the state at the commit, so that the last event is the true one.
    private func publish(_ user: ID<User>, seenAt: Timestamp) {
        storage.enqueue { [self] transaction in
            try Self.store(seenAt, for: user, in: transaction.database)
            try PresenceQueries.publish(user, presence: self, in: transaction)
        } failed: { [log] error in
            // The next coming or going says it again; meanwhile only a last seen is old.
            log.error("presence was not stored", ["cause": .error(error)])
        }
    }

    private static func store(_ seenAt: Timestamp, for user: ID<User>, in database: Database) throws {
        try database.run(
            "UPDATE users SET last_seen_at = ? WHERE id = ? AND deleted_at IS NULL", seenAt, user)
    }
}
