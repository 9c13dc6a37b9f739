import ChatterModel
import SQLite

/// One job's view of the group commit it runs in. Used on the writing thread only, and only while the job runs.
///
/// What a job publishes leaves after the commit, in order; a job that throws publishes nothing. A body may run
/// twice (when another job of its group had to be undone), so it must do nothing but write and publish.
final class WriteTransaction {
    let database: Database
    /// The server's time, one for the whole group.
    let now: Timestamp
    private let ids: (Timestamp) -> String
    private let positions: () -> Int64
    private(set) var effects: [Effect] = []

    init(
        database: Database, now: Timestamp, ids: @escaping (Timestamp) -> String,
        positions: @escaping () -> Int64
    ) {
        self.database = database
        self.now = now
        self.ids = ids
        self.positions = positions
    }

    /// Unique and growing over the whole server; becomes a record's `version`.
    func nextPosition() -> Int64 { positions() }

    /// A new UUIDv7.
    func newID<Entity>() -> ID<Entity> { ID(ids(now)) }

    /// To every connection of `user` but `except`.
    func publish(_ event: ServerEvent, to user: ID<User>, except: ConnectionID? = nil) {
        effects.append(.deliver(Outgoing(ServerFrame(event), to: .user(user), except: except)))
    }

    /// To every connection of each user but `except`; encoded once.
    func publish(_ event: ServerEvent, to users: some Sequence<ID<User>>, except: ConnectionID? = nil) {
        effects.append(.deliver(Outgoing(ServerFrame(event), to: .users(Array(users)), except: except)))
    }

    /// To one connection: the answer to its frame `id`.
    func publish(_ event: ServerEvent, id: String?, toConnection connection: ConnectionID) {
        effects.append(.deliver(Outgoing(ServerFrame(event, id: id), to: .connection(connection))))
    }

    /// Runs after the commit and this group's events, on the writing thread: must be short and must not wait.
    func afterCommit(_ work: @escaping @Sendable () -> Void) {
        effects.append(.run(work))
    }

    enum Effect {
        case deliver(Outgoing)
        case run(@Sendable () -> Void)
    }

    /// Forgets what a job published that is being undone.
    func rewind(to count: Int) {
        effects.removeSubrange(count...)
    }
}
