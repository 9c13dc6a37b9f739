import ChatterModel
import Foundation
import SQLite

/// The local database of one account: what screens show and what is still to be sent.
///
/// Methods that write are transactions named for what they do, in `Store+….swift`; each keeps every invariant.
/// Reads are one query each and see one state of the database.
package final class Store: Sendable {
    /// Whose database this is.
    let me: ID<User>
    /// Which epoch its numbers are of.
    let epoch = EpochMark()
    let pool: DatabasePool
    private let damaged: @Sendable () -> Void

    /// - Parameters:
    ///   - path: nil keeps it in memory.
    ///   - damaged: called whenever a read or a write finds the file damaged.
    package init(
        path: String?, account me: ID<User>, executor: DatabasePool.Executor = .threads,
        damaged: @escaping @Sendable () -> Void = {}
    ) throws {
        self.me = me
        self.damaged = damaged
        pool = try DatabasePool(path: path, migrator: Schema.migrator, executor: executor)
    }

    /// Refuses a file of another account; marks a new one as this account's. The first call to make.
    package func claimAccount() async throws {
        try await pool.write { [me] database in
            if let owner = try database.state(.account) {
                guard owner == me.rawValue else { throw StoreError.otherAccount }
            } else {
                try database.setState(.account, me.rawValue)
            }
        }
        epoch.current = try await read { try $0.database.state(.epoch).map { ID($0) } }
    }

    package func close() async {
        await pool.close()
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (WriteContext) throws -> T) async throws -> T {
        do {
            return try await pool.write { [me] in try body(WriteContext(database: $0, me: me)) }
        } catch {
            throw noticed(error)
        }
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (ReadContext) throws -> T) async throws -> T {
        do {
            return try await pool.read { [me] in try body(ReadContext(database: $0, me: me)) }
        } catch {
            throw noticed(error)
        }
    }

    private func noticed(_ error: any Error) -> any Error {
        if error.isDamage { damaged() }
        return error
    }

    /// The query's value now, and again after each commit that made it another.
    func observe<T: Sendable & Equatable>(
        _ tables: Set<Table>, _ query: @escaping @Sendable (ReadContext) throws -> T
    ) -> AsyncThrowingStream<T, any Error> {
        pool.observe(tables: Set(tables.map(\.rawValue))) { [me] database in
            try query(ReadContext(database: database, me: me))
        }
    }
}

enum Table: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    case users, friends, friendRequests, blocks, conversations, members, holes, drafts, messages, hiddenMarks
    case outbox, syncState, lostMessages

    var description: String { rawValue }
}

/// A snapshot to read from.
struct ReadContext {
    let database: Database
    let me: ID<User>
}

/// An open write transaction.
struct WriteContext {
    let database: Database
    let me: ID<User>

    var reading: ReadContext { ReadContext(database: database, me: me) }
}

// MARK: - Single values

enum StateKey: String {
    /// The owner's user id.
    case account
    /// Of `GET /sync`.
    case cursor
    /// The server's, that all numbers here are of.
    case epoch
    /// There until every record of a new epoch is here.
    case unswept
    /// Own profile as the server knows it, JSON.
    case me
}

extension Database {
    func state(_ key: StateKey) throws -> String? {
        try first("SELECT value FROM syncState WHERE key = ?", key.rawValue) { $0.text(0) }
    }

    func setState(_ key: StateKey, _ value: String) throws {
        try run(
            "INSERT INTO syncState VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            key.rawValue, value)
    }
}

extension Store {
    /// What a conversation's screen shows first; for the benchmark.
    package func firstPage(of id: ID<Conversation>, limit: Int) async throws -> ConversationContent? {
        try await read { try $0.conversation(id, limit: limit) }
    }
}
